import JSON
import Synchronization

/// Collects the replies to a batch and sends them in one message, or nothing if there are none.
final class Batch: Sendable {
    private struct State {
        var missingCount: Int
        var replies: [JSONFragment] = []
    }

    private let state: Mutex<State>
    private let send: @Sendable (JSONFragment) -> Void

    init(count: Int, send: @escaping @Sendable (JSONFragment) -> Void) {
        state = Mutex(State(missingCount: count))
        self.send = send
    }

    /// Adds the reply to one element; nil if it gets none.
    func add(_ reply: JSONFragment?) {
        let complete: [JSONFragment]? = state.withLock { state in
            state.missingCount -= 1
            if let reply { state.replies.append(reply) }
            return state.missingCount == 0 ? state.replies : nil
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
