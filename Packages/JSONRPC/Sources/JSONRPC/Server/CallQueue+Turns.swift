import Synchronization

extension CallQueue {
    /// A place in the order of changes, for a running call.
    struct Turn: Sendable {
        let number: UInt64
        /// Fires when the changes before it have ended.
        let start: Signal
    }

    /// A place behind the changes so far to the data of `access`, which is nil for all data.
    func takeTurn(_ access: DataAccess?) -> Turn {
        state.withLock { state in
            let turn = Turn(number: state.nextNumber, start: Signal())
            state.nextNumber += 1
            changes.add(1, ordering: .relaxed)
            if state.order.add(turn.number, access, isChange: true) {
                turn.start.give()
            } else {
                state.turns[turn.number] = turn.start
            }
            return turn
        }
    }

    /// Ends a turn, also one whose call was cancelled before it started.
    func end(_ turn: Turn) {
        changes.subtract(1, ordering: .relaxed)
        let signals = state.withLock { state in
            state.turns[turn.number] = nil
            // Where it still waits, those behind it go on waiting for what it waits for.
            if state.order.isWaiting(turn.number) { return [Signal]() }
            return Self.release(state.order.remove(turn.number), &state)
        }
        for signal in signals { signal.give() }
        pump()
    }

    /// Lets calls and turns start that wait for nothing any more; gives the signals of the turns.
    static func release(_ numbers: [UInt64], _ state: inout State) -> [Signal] {
        var signals: [Signal] = []
        var released = numbers
        var next = 0
        while next < released.count {
            let number = released[next]
            next += 1
            if state.entries[number] != nil {
                state.ready.append(number)
            } else if let signal = state.turns.removeValue(forKey: number) {
                signals.append(signal)
            } else {
                // It was cancelled while it waited.
                released += state.order.remove(number)
            }
        }
        return signals
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
