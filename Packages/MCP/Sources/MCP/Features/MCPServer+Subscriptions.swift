import JSON
import JSONRPC

extension MCPServer {
    var subscriptionMethods: [Method] {
        guard offersSubscriptions, let subscriptions else { return [] }
        return [
            subscription("resources/subscribe") { subscriptions.subscribe($0, $1) },
            subscription("resources/unsubscribe") { uri, _ in subscriptions.unsubscribe(uri) },
            method("subscriptions/listen", withHandshake: false) { call, context throws(RPCError) in
                try await self.listen(call, context, subscriptions)
            },
        ]
    }

    /// Makes a method that changes the subscription of its caller to a resource.
    private func subscription(
        _ name: String,
        _ change: @escaping @Sendable (String, Peer) -> Void
    ) -> Method {
        method(name, withHandshake: true) { call, context throws(RPCError) in
            let uri = try uri(of: call)
            guard resource(at: uri) != nil else { throw .resourceNotFound(uri, context.revision) }
            change(uri, call.peer)
            return context.result()
        }
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
        let uris = (requested ?? []).filter { resource(at: $0) != nil }
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
