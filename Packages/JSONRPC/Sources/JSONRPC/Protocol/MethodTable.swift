import JSON

/// The methods that a peer can call, by name, and the protocol extensions that apply to all of them.
public struct MethodTable: Sendable {
    /// The methods, in the order passed to ``init(_:extensions:unknownMethodAdvice:)``.
    public let methods: [Method]
    /// Advice for the error message about an unknown method, such as how to list the methods.
    public let unknownMethodAdvice: String?
    let protocolExtension: ProtocolExtension
    /// The indices of the methods, by name.
    private let indices: [String: Int]

    /// Creates a table. If two methods have the same name, the first one wins.
    ///
    /// - Parameters:
    ///   - methods: The methods, and the notifications.
    ///   - extensions: The protocols on top of JSON-RPC.
    ///   - unknownMethodAdvice: Advice for the error message about an unknown method.
    public init(
        _ methods: [Method],
        extensions: [ProtocolExtension] = [.languageServer],
        unknownMethodAdvice: String? = nil
    ) {
        self.methods = methods
        self.unknownMethodAdvice = unknownMethodAdvice
        protocolExtension = ProtocolExtension(combining: extensions)
        var indices: [String: Int] = [:]
        indices.reserveCapacity(methods.count)
        for index in methods.indices.reversed() { indices[methods[index].name] = index }
        self.indices = indices
    }

    /// The method with that name, or nil.
    public subscript(name: String) -> Method? { indices[name].map { methods[$0] } }

    /// The names of all notifications that the protocol extensions define, such as `$/progress`.
    public var notifications: Set<String> {
        protocolExtension.notifications
            .union(protocolExtension.cancellations.map(\.method))
            .union(protocolExtension.progressFormats.map { $0.method })
    }

    func methodNotFound(_ name: String) -> RPCError {
        .methodNotFound(name, advice: unknownMethodAdvice)
    }
}
