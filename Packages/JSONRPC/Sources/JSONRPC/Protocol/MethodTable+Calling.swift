public import JSON

extension MethodTable {
    /// Calls a method without a connection, in a program that has the table itself.
    ///
    /// `params` is an object. `report` receives the progress of the call. Throws what a caller on a
    /// connection receives as an error. A request to the peer fails, because there is no peer.
    public func call(
        _ name: String,
        _ params: JSONFragment = .emptyObject,
        report: (@Sendable (String) -> Void)? = nil
    ) async throws(RPCError) -> JSONFragment {
        guard let method = self[name] else { throw methodNotFound(name) }
        let given = try JSONValue(encodedParams: params)
        let limits = RPCLimits()
        let outgoing = OutgoingRequests(idPrefix: "")
        outgoing.close()
        let backpressure = OutputBackpressure(limit: limits.maximumQueuedBytes)
        var call = Call(
            params: try Params(given, for: method, ignoring: conventions.reservedParameters),
            givenParams: given,
            id: nil,
            peer: Peer(send: { _ in }, outgoing: outgoing),
            progress: nil,
            queue: CallQueue(limits: limits, backpressure: backpressure)
        )
        call.progressListener = report
        return try await method.handler(call)
    }
}

extension Params {
    /// Reads an encoded object of params; throws -32602 if the method does not accept them.
    public init(encoded: JSONFragment, for method: Method) throws(RPCError) {
        try self.init(JSONValue(encodedParams: encoded), for: method)
    }
}

extension JSONValue {
    fileprivate init(encodedParams: JSONFragment) throws(RPCError) {
        guard let value = try? JSONDocument(parsing: encodedParams.bytes).root else {
            throw .invalidParams("params are not JSON")
        }
        self = value
    }
}
