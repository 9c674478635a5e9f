import JSON
import JSONRPC

extension MCPServer {
    var subscriptionMethods: [Method] {
        let subscribe = method("resources/subscribe") { call, context throws(RPCError) in
            let uri = try subscribableURI(call, context)
            client.subscribe(uri, call.peer)
            onSubscription()
            return context.result()
        }
        let unsubscribe = method("resources/unsubscribe") { call, context throws(RPCError) in
            let uri = try subscribableURI(call, context)
            client.unsubscribe(uri)
            return context.result()
        }
        let listen = method("subscriptions/listen") { call, context throws(RPCError) in
            try await self.listen(call, context)
        }
        return [subscribe, unsubscribe, listen]
    }

    private func subscribableURI(_ call: Call, _ context: RequestContext) throws(RPCError) -> String
    {
        // The newest revision has subscriptions/listen instead.
        if !context.revision.hasHandshake { throw .methodNotFound("resources/subscribe") }
        let uri = try uri(of: call)
        guard reader(of: uri) != nil else { throw .resourceNotFound(uri, context.revision) }
        return uri
    }

    /// Sends notifications of resource changes until the client cancels or the input ends. Never
    /// sends notifications of list changes: the lists of this server do not change.
    private func listen(_ call: Call, _ context: RequestContext) async throws(RPCError)
        -> JSONFragment
    {
        guard let id = call.id else { return .null }
        guard let wanted = try? call.params.value("notifications")?.object() else {
            throw .invalidParams("\"notifications\" is missing: the notifications to receive")
        }
        let requested = (try? wanted["resourceSubscriptions"]?.array())?.compactMap {
            try? $0.string()
        }
        let uris = (requested ?? []).filter { reader(of: $0) != nil }
        call.peer.notify(
            "notifications/subscriptions/acknowledged",
            Self.params(of: id) { writer in
                writer.key("notifications")
                writer.object { writer in
                    if requested != nil { writer.member("resourceSubscriptions", uris) }
                }
            }
        )
        let listener = client.listen(Set(uris)) { uri in
            let params = Self.params(of: id) { $0.member("uri", uri) }
            call.peer.notify("notifications/resources/updated", params)
        }
        onSubscription()
        await call.waitForInputEnd()
        client.stopListening(listener)
        if Task.isCancelled { throw .requestCancelled }
        return context.result(subscription: id)
    }

    private static func params(
        of subscription: JSONFragment,
        _ body: (inout JSONWriter) -> Void
    ) -> JSONFragment {
        JSONFragment { writer in
            writer.object { writer in
                writer.key("_meta")
                writer.object { $0.member("\(MetaKey.subscriptionID)", subscription) }
                body(&writer)
            }
        }
    }
}
