public import JSON

/// The other end of the connection.
public struct Peer: Sendable {
    let send: @Sendable (JSONFragment) -> Void
    let outgoing: OutgoingRequests

    /// Sends a notification.
    public func notify(_ method: String, _ params: JSONFragment) {
        send(Self.message(method, params, id: nil))
    }

    /// Asks the other end, and waits for its answer; in a cancelled task `cancelling` is sent with
    /// the request's id, as a notification.
    ///
    /// Throws what the other end answers, -32800 when the task is cancelled, and -32603 when no
    /// answer can come any more.
    public func request(
        _ method: String,
        _ params: JSONFragment,
        cancelling: @escaping @Sendable (_ id: String) -> (method: String, params: JSONFragment)
    ) async throws(RPCError) -> JSONValue {
        let answer = await outgoing.ask { id in
            send(Self.message(method, params, id: id))
        } abandon: { id in
            let cancel = cancelling(id)
            notify(cancel.method, cancel.params)
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
