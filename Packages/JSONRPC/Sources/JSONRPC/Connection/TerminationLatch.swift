import Synchronization

/// Stores the first reason to stop. One task can wait for it.
final class TerminationLatch: Sendable {
    private enum State {
        case open
        case awaited(CheckedContinuation<TerminationReason, Never>)
        case closed(TerminationReason)
    }

    private let state = Mutex(State.open)

    var isClosed: Bool {
        state.withLock { if case .closed = $0 { true } else { false } }
    }

    /// Stores the reason, unless one is stored already.
    func close(_ reason: TerminationReason) {
        let waiter = state.withLock { state -> CheckedContinuation<TerminationReason, Never>? in
            switch state {
            case .open:
                state = .closed(reason)
                return nil
            case .awaited(let waiter):
                state = .closed(reason)
                return waiter
            case .closed:
                return nil
            }
        }
        waiter?.resume(returning: reason)
    }

    /// Waits for the reason. Only one task may wait.
    func reason() async -> TerminationReason {
        await withCheckedContinuation { continuation in
            let reason = state.withLock { state -> TerminationReason? in
                if case .closed(let reason) = state { return reason }
                state = .awaited(continuation)
                return nil
            }
            if let reason { continuation.resume(returning: reason) }
        }
    }
}
