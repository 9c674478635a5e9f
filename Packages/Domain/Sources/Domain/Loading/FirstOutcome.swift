import Synchronization

/// The first of several outcomes, for one task that waits for it.
final class FirstOutcome<Outcome: Sendable>: Sendable {
    private enum State {
        case undecided
        case awaited(CheckedContinuation<Outcome, Never>)
        case decided(Outcome)
    }

    private let state = Mutex(State.undecided)

    /// Decides; later calls have no effect.
    func decide(_ outcome: Outcome) {
        let waiter: CheckedContinuation<Outcome, Never>? = state.withLock { state in
            switch state {
            case .decided: return nil
            case .undecided:
                state = .decided(outcome)
                return nil
            case .awaited(let waiter):
                state = .decided(outcome)
                return waiter
            }
        }
        waiter?.resume(returning: outcome)
    }

    /// The outcome, once it is decided. Only one task may wait.
    var value: Outcome {
        get async {
            await withCheckedContinuation { continuation in
                let outcome: Outcome? = state.withLock { state in
                    if case .decided(let outcome) = state { return outcome }
                    state = .awaited(continuation)
                    return nil
                }
                if let outcome { continuation.resume(returning: outcome) }
            }
        }
    }
}
