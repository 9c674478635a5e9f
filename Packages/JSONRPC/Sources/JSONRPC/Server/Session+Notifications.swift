import JSON
import Synchronization

extension Session {
    func notified(
        _ method: String,
        _ params: JSONValue?,
        _ size: Int,
        _ reply: @escaping CallQueue.Reply
    ) {
        switch method {
        case "exit": events.onExit(isShutDown.load(ordering: .relaxed) ? 0 : 1)
        case "$/cancelRequest": cancel((try? params?.object())?["id"], isAnswered: true)
        case "notifications/cancelled":
            cancel((try? params?.object())?["requestId"], isAnswered: false)
        default:
            if let known = table[method], (try? start(known, params, nil, size, reply)) != nil {
                return
            }
        }
        reply(nil)
    }

    /// LSP answers what was cancelled, MCP does not.
    private func cancel(_ id: JSONValue?, isAnswered: Bool) {
        guard let id else { return }
        queue.cancel(RequestID.key(of: id)) { bytes in
            isAnswered ? Reply.error(.requestCancelled, id: bytes) : nil
        }
    }
}
