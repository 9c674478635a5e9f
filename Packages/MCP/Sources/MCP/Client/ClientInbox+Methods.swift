import JSON
import JSONRPC

extension ClientInbox {
    /// The methods and notifications that a server can send.
    var methods: [Method] {
        var methods = [
            notification(.progress) { [self] in receiveProgress($0) },
            notification(.resourceUpdated) { [self] params in
                guard let uri = try? params["uri"]?.string() else { return }
                receiveChange(of: .resource(uri))
            },
            notification(.subscriptionAcknowledged) { [self] params in
                resolveAcknowledgment(.success(params))
            },
            method("ping") { _ in .emptyObject },
            method(Elicitation.method) { [self] call throws(RPCError) in
                try await call.withoutCountingAsRunning { () throws(RPCError) in
                    try await answer(call.rawParams).fragment
                }
            },
        ]
        for (name, topic) in ChangeTopic.lists {
            methods.append(notification(name) { [self] _ in receiveChange(of: topic) })
        }
        return methods
    }

    private func method(_ name: String, _ handler: @escaping Method.Handler) -> Method {
        var method = Method(
            name,
            "Defined by MCP.",
            result: .init("result", "defined by MCP"),
            data: DataAccess.none,
            handler: handler
        )
        method.acceptsUnknownParameters = true
        return method
    }

    private func notification(
        _ notification: MCPNotification,
        _ receive: @escaping @Sendable (JSONObject) -> Void
    ) -> Method {
        Method(immediateNotification: notification.rawValue, "Defined by MCP.") { params in
            if let params = try? params?.object() { receive(params) }
        }
    }
}
