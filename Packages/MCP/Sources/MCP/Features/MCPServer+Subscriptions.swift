import JSON
import JSONRPC

extension MCPServer {
    var subscriptionMethods: [Method] {
        guard offersSubscriptions, let subscriptions else { return [] }
        let subscribe = method("resources/subscribe", .withHandshake) {
            call,
            context throws(RPCError) in
            let uri = try subscribableURI(call, context)
            subscriptions.subscribe(uri, call.peer)
            return context.result()
        }
        let unsubscribe = method("resources/unsubscribe", .withHandshake) {
            call,
            context throws(RPCError) in
            let uri = try subscribableURI(call, context)
            subscriptions.unsubscribe(uri)
            return context.result()
        }
        let listen = method("subscriptions/listen", .withoutHandshake) {
            call,
            context throws(RPCError) in
            try await self.listen(call, context, subscriptions)
        }
        return [subscribe, unsubscribe, listen]
    }

    private func subscribableURI(_ call: Call, _ context: RequestContext) throws(RPCError) -> String
    {
        let uri = try uri(of: call)
        guard reader(of: uri) != nil else { throw .resourceNotFound(uri, context.revision) }
        return uri
    }

    /// Sends notifications of resource changes until the client cancels or the input ends. Never
    /// sends notifications of list changes: the lists of this server do not change.
    private func listen(
        _ call: Call,
        _ context: RequestContext,
        _ subscriptions: ResourceSubscriptions
    ) async throws(RPCError) -> ObjectFragment {
        guard let id = call.id else { return .empty }
        guard let wanted = try? call.params.value("notifications")?.object() else {
            throw .invalidParams("\"notifications\" is missing: the notifications to receive")
        }
        let requested = (try? wanted["resourceSubscriptions"]?.array())?.compactMap {
            try? $0.string()
        }
        let uris = (requested ?? []).filter { reader(of: $0) != nil }
        let acknowledgment = Self.params(of: id) { writer in
            writer.object("notifications") { writer in
                if requested != nil { writer.member("resourceSubscriptions", uris) }
            }
        }
        let listener = subscriptions.listen(Set(uris)) {
            call.peer.notify(MCPNotification.subscriptionAcknowledged.rawValue, acknowledgment)
        } _: { uri in
            let params = Self.params(of: id) { $0.member("uri", uri) }
            call.peer.notify(MCPNotification.resourceUpdated.rawValue, params)
        }
        await call.waitForInputEnd()
        subscriptions.stopListening(listener)
        if Task.isCancelled { throw .requestCancelled }
        return context.result(subscription: id)
    }

    private static func params(
        of subscription: JSONFragment,
        _ body: (inout JSONWriter) -> Void
    ) -> JSONFragment {
        JSONFragment.object { writer in
            writer.object("_meta") { $0.member(named: "\(MetaKey.subscriptionID)", subscription) }
            body(&writer)
        }
    }
}
