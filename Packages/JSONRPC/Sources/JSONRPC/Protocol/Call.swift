public import JSON

/// A call of a method, as its handler sees it. Its task is cancelled when the caller cancels.
public struct Call: Sendable {
    /// What it was called with.
    public let params: Params
    /// Who called.
    public let peer: Peer
}

/// The other end of the connection.
public struct Peer: Sendable {
    let send: @Sendable ([UInt8]) -> Void

    /// Sends a notification.
    public func notify(_ method: String, _ params: JSONFragment) {
        let message = JSONFragment { writer in
            writer.object { writer in
                writer.member("jsonrpc", "2.0")
                writer.member("method", method)
                writer.member("params", params)
            }
        }
        send(message.bytes)
    }
}
