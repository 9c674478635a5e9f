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
        let rawParams = try JSONValue(encodedParams: params)
        let limits = RPCLimits()
        let backpressure = OutputBackpressure(limit: limits.maximumQueuedBytes)
        let call = Call(
            params: try Params(
                rawParams,
                for: method,
                ignoring: protocolExtension.reservedParameters
            ),
            rawParams: rawParams,
            id: nil,
            peer: .disconnected,
            progress: nil,
            queue: CallQueue(limits: limits, backpressure: backpressure),
            progressListener: report
        )
        return try await method.handler(call)
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
