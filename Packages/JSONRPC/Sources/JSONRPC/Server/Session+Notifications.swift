import JSON
import Synchronization

extension Session {
    func notified(
        _ method: String,
        _ params: JSONValue?,
        _ size: Int,
        _ reply: @escaping CallQueue.ReplyHandler
    ) {
        switch method {
        case "exit": events.onExit(isShutDown.load(ordering: .relaxed) ? 0 : 1)
        case "$/cancelRequest": cancel((try? params?.object())?["id"], .request)
        case "notifications/cancelled":
            cancel((try? params?.object())?["requestId"], .silentRequest)
        default:
            if let known = table[method], (try? start(known, params, nil, size, reply)) != nil {
                return
            }
        }
        reply(nil)
    }

    private func cancel(_ id: JSONValue?, _ cancellation: CallQueue.Cancellation) {
        if let id { queue.cancel(RequestID.key(of: id), cancellation) }
    }
}
