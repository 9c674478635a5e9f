import Synchronization

extension CallQueue {
    /// A place in the order of changes.
    struct Turn: Sendable {
        let earlier: Signal?
        let own: Signal
    }

    /// A place behind the changes that were called before now.
    func takeTurn() -> Turn {
        state.withLock { state in
            let turn = Turn(earlier: state.lastChange, own: Signal())
            state.lastChange = turn.own
            return turn
        }
    }

    /// A running call waits for something outside: it does not count among those that run.
    func pause() {
        state.withLock { $0.busy -= 1 }
        pump()
    }

    /// Ends ``pause()``.
    func resume() {
        state.withLock { $0.busy += 1 }
    }
}
