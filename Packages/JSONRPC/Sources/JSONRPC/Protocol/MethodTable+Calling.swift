public import JSON

extension MethodTable {
    /// Calls a method without a connection, for a program that has the table in its own process.
    ///
    /// `params` is an object, `report` hears how far it is. Throws what a caller over a connection
    /// is answered; a request to the caller fails, since nobody is there to ask.
    public func call(
        _ name: String,
        _ params: JSONFragment = .emptyObject,
        report: (@Sendable (String) -> Void)? = nil
    ) async throws(RPCError) -> JSONFragment {
        guard let method = self[name] else { throw .methodNotFound(name) }
        let params = try Params(encoded: params, for: method)
        let limits = RPCLimits()
        let room = OutputRoom(limit: limits.maximumQueuedBytes)
        let outgoing = OutgoingRequests()
        outgoing.close()
        let call = Call(
            params: params,
            meta: nil,
            id: nil,
            peer: Peer(send: { _ in }, outgoing: outgoing),
            progress: nil,
            queue: CallQueue(limits: limits, room: room),
            listener: report
        )
        return try await method.handler(call)
    }
}

extension Params {
    /// Reads an encoded object of params; throws -32602 for what the method does not take.
    public init(encoded: JSONFragment, for method: Method) throws(RPCError) {
        guard let value = try? JSONDocument(parsing: encoded.bytes).root else {
            throw .invalidParams("params are no JSON")
        }
        try self.init(value, for: method)
    }
}
