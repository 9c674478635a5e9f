import JSON

/// The methods of a server by name, and the conventions of its protocols.
public struct MethodTable: Sendable {
    /// The methods, in the order in which they were given.
    public let methods: [Method]
    /// Says in the error for an unknown method how to find those that exist; nil for nothing.
    public let unknownMethodAdvice: String?
    let conventions: ProtocolExtension
    private let byName: [String: Method]

    /// Makes a table. Of two methods with the same name, the first one counts.
    public init(
        _ methods: [Method],
        extensions: [ProtocolExtension] = [.languageServer],
        unknownMethodAdvice: String? = nil
    ) {
        self.methods = methods
        self.unknownMethodAdvice = unknownMethodAdvice
        conventions = ProtocolExtension(combining: extensions)
        byName = Dictionary(methods.map { ($0.name, $0) }) { first, _ in first }
    }

    /// The method with that name; nil if no method has it.
    public subscript(name: String) -> Method? { byName[name] }

    func methodNotFound(_ name: String) -> RPCError {
        .methodNotFound(name, advice: unknownMethodAdvice)
    }
}
