public import JSON

/// The client at the other end of the connection.
public struct Peer: Sendable {
    let send: @Sendable (JSONFragment) -> Void
    let outgoing: OutgoingRequests

    /// Sends a notification.
    public func notify(_ method: String, _ params: JSONFragment) {
        send(Self.message(method, params, id: nil))
    }

    /// Sends a notification.
    public func notify(_ notification: OutgoingNotification) {
        notify(notification.method, notification.params)
    }

    /// Sends a request and returns the result. If the task is cancelled before the response
    /// arrives, sends the notification that `cancelling` returns for the id of the request.
    ///
    /// Throws the error that the peer returns, -32800 if the task is cancelled, or -32603 if the
    /// connection ends first.
    public func request(
        _ method: String,
        _ params: JSONFragment,
        cancelling: @escaping @Sendable (_ id: String) -> OutgoingNotification
    ) async throws(RPCError) -> JSONValue {
        let response = await outgoing.request { id in
            send(Self.message(method, params, id: id))
        } onCancel: { id in
            notify(cancelling(id))
        }
        return try response.get()
    }

    private static func message(
        _ method: String,
        _ params: JSONFragment,
        id: String?
    ) -> JSONFragment {
        JSONFragment { writer in
            writer.object { writer in
                writer.member("jsonrpc", "2.0")
                writer.member("id", id)
                writer.member("method", method)
                writer.member("params", params)
            }
        }
    }
}
