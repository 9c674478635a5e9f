import Synchronization

/// Collects the answers of a batch and sends them together; nothing when there are none.
final class Batch: Sendable {
    private let state: Mutex<(missing: Int, answers: [[UInt8]])>
    private let send: @Sendable ([UInt8]) -> Void

    init(count: Int, send: @escaping @Sendable ([UInt8]) -> Void) {
        state = Mutex((count, []))
        self.send = send
    }

    /// Takes the answer of one element; nil from one that wants none.
    func add(_ answer: [UInt8]?) {
        let complete: [[UInt8]]? = state.withLock { state in
            state.missing -= 1
            if let answer { state.answers.append(answer) }
            return state.missing == 0 ? state.answers : nil
        }
        guard let complete, !complete.isEmpty else { return }
        let comma = [UInt8(ascii: ",")]
        send([UInt8(ascii: "[")] + complete.joined(separator: comma) + [UInt8(ascii: "]")])
    }
}
