public import JSON
import SystemSupport

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
        guard let nearest = NearestName.suggestion(for: name, among: methods.map(\.name)) else {
            return .methodNotFound(name, advice: unknownMethodAdvice)
        }
        let rest = unknownMethodAdvice.map { " Otherwise, \($0)" } ?? ""
        return .methodNotFound(name, advice: "did you mean \(nearest)?\(rest)")
    }
}

extension MethodTable {
    /// Calls a method directly, without a connection.
    ///
    /// If the handler of the method calls the peer, that call fails. Concurrent calls are not ordered,
    /// whatever their effects.
    ///
    /// - Parameters:
    ///   - name: The name of the method.
    ///   - params: An object.
    ///   - report: Receives the messages with which the method reports progress.
    /// - Returns: The result.
    /// - Throws: The error that a client would receive.
    public func call(
        _ name: String,
        _ params: JSONFragment = .emptyObject,
        report: (@Sendable (String) -> Void)? = nil
    ) async throws(RPCError) -> JSONFragment {
        guard let method = self[name] else { throw methodNotFound(name) }
        let call = try Call(
            of: method,
            params,
            ignoring: protocolExtension.reservedParameters,
            report: report
        )
        return try await method.handler(call)
    }
}

extension Call {
    /// Creates a call without a connection, for the handler of `method`.
    ///
    /// If the handler calls the peer, that call fails. Concurrent calls are not ordered, whatever their
    /// effects.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - params: An object.
    ///   - reserved: The names of parameters that the method does not get.
    ///   - report: Receives the messages with which the method reports progress.
    /// - Throws: -32602 if the method does not accept the parameters.
    public init(
        of method: Method,
        _ params: JSONFragment = .emptyObject,
        ignoring reserved: Set<String> = [],
        report: (@Sendable (String) -> Void)? = nil
    ) throws(RPCError) {
        let rawParams = try JSONValue(encodedParams: params)
        self.init(
            params: try Params(rawParams, for: method, ignoring: reserved),
            rawParams: rawParams,
            id: nil,
            peer: .disconnected,
            progress: nil,
            queue: nil,
            progressListener: report
        )
    }
}

extension Params {
    /// Parses encoded params. Throws -32602 if the method does not accept them.
    public init(encoded: JSONFragment, for method: Method) throws(RPCError) {
        try self.init(JSONValue(encodedParams: encoded), for: method)
    }
}

extension JSONValue {
    fileprivate init(encodedParams: JSONFragment) throws(RPCError) {
        guard let value = try? JSONDocument(parsing: encodedParams.bytes).root else {
            throw .invalidParams("params is not JSON")
        }
        self = value
    }
}
