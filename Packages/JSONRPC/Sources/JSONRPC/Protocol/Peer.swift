public import JSON

/// The other end of the connection.
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

    /// Sends a request and waits for the answer. If the task is cancelled first, the peer receives
    /// the notification that `cancelling` makes from the id of the request.
    ///
    /// Throws the peer's error, -32800 if the task is cancelled, and -32603 if the connection ends
    /// before the answer.
    public func request(
        _ method: String,
        _ params: JSONFragment,
        cancelling: @escaping @Sendable (_ id: String) -> OutgoingNotification
    ) async throws(RPCError) -> JSONValue {
        let answer = await outgoing.request { id in
            send(Self.message(method, params, id: id))
        } onCancel: { id in
            notify(cancelling(id))
        }
        return try answer.get()
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
