public import JSON

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
        let limits = RPCLimits()
        let backpressure = OutputBackpressure(limit: limits.maximumQueuedBytes)
        self.init(
            params: try Params(rawParams, for: method, ignoring: reserved),
            rawParams: rawParams,
            id: nil,
            peer: .disconnected,
            progress: nil,
            queue: CallQueue(limits: limits, backpressure: backpressure),
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
