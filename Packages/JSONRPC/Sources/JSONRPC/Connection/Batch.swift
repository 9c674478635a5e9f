import JSON
import Synchronization

/// Collects the replies to a batch and sends them in one message. Without replies it sends
/// nothing.
final class Batch: Sendable {
    private struct State {
        var pendingCount: Int
        var replies: [JSONFragment] = []
    }

    private let state: Mutex<State>
    private let send: @Sendable (JSONFragment) -> Void

    init(count: Int, send: @escaping @Sendable (JSONFragment) -> Void) {
        state = Mutex(State(pendingCount: count))
        self.send = send
    }

    /// Adds the reply to one message of the batch; nil if the message gets no reply.
    func add(_ reply: JSONFragment?) {
        let complete: [JSONFragment]? = state.withLock { state in
            state.pendingCount -= 1
            if let reply { state.replies.append(reply) }
            return state.pendingCount == 0 ? state.replies : nil
        }
        guard let complete, !complete.isEmpty else { return }
        send(
            JSONFragment { writer in
                writer.array { writer in
                    for reply in complete { writer.raw(reply) }
                }
            }
        )
    }
}
