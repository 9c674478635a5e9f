import JSON
import Synchronization

/// Collects the answers of a batch and sends them together; nothing when there are none.
final class Batch: Sendable {
    private let state: Mutex<(missing: Int, answers: [JSONFragment])>
    private let send: @Sendable (JSONFragment) -> Void

    init(count: Int, send: @escaping @Sendable (JSONFragment) -> Void) {
        state = Mutex((count, []))
        self.send = send
    }

    /// Takes the answer of one element; nil from one that wants none.
    func add(_ answer: JSONFragment?) {
        let complete: [JSONFragment]? = state.withLock { state in
            state.missing -= 1
            if let answer { state.answers.append(answer) }
            return state.missing == 0 ? state.answers : nil
        }
        guard let complete, !complete.isEmpty else { return }
        send(
            JSONFragment { writer in
                writer.array { writer in
                    for answer in complete { writer.raw(answer) }
                }
            }
        )
    }
}
