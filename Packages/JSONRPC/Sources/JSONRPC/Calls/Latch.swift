import Synchronization

/// A value that is set once, and that tasks can wait for.
final class Latch<Value: Sendable>: Sendable {
    /// Resumes a task that waits, with the value, or with nil after its cancellation.
    private struct Waiter {
        let number: UInt64
        let resume: @Sendable (Value?) -> Void
    }

    private struct State {
        var value: Value?
        var nextNumber: UInt64 = 0
        // The tasks are in an array, because there are few, and a dictionary would slow down the
        // start.
        var waiting: [Waiter] = []
    }

    private let state = Mutex(State())

    var isSet: Bool { state.withLock { $0.value != nil } }

    /// Sets the value, unless one is set, and resumes all waiting tasks.
    func set(_ value: Value) {
        let waiting = state.withLock { state in
            if state.value == nil { state.value = value }
            defer { state.waiting = [] }
            return state.waiting
        }
        for waiter in waiting { waiter.resume(value) }
    }

    /// Waits for the value, even if the task is cancelled.
    var value: Value {
        get async {
            await withCheckedContinuation { continuation in
                _ = enqueue { if let value = $0 { continuation.resume(returning: value) } }
            }
        }
    }

    /// Waits for the value. Returns nil if the task is cancelled before that.
    @discardableResult
    func valueUnlessCancelled() async -> Value? {
        let number = Mutex<UInt64?>(nil)
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                number.withLock { number in
                    // If the task was cancelled before it got its number, `onCancel` had no effect.
                    if Task.isCancelled { return continuation.resume(returning: nil) }
                    number = enqueue { continuation.resume(returning: $0) }
                }
            }
        } onCancel: {
            guard let number = number.withLock(\.self) else { return }
            let waiter = state.withLock { state in
                let index = state.waiting.firstIndex { $0.number == number }
                return index.map { state.waiting.remove(at: $0) }
            }
            waiter?.resume(nil)
        }
    }

    /// Makes a task wait, and returns its number. If the value is set already, resumes the task
    /// with it and returns nil.
    private func enqueue(_ resume: @escaping @Sendable (Value?) -> Void) -> UInt64? {
        let (value, number): (Value?, UInt64?) = state.withLock { state in
            if let value = state.value { return (value, nil) }
            state.nextNumber += 1
            state.waiting.append(Waiter(number: state.nextNumber, resume: resume))
            return (nil, state.nextNumber)
        }
        if let value { resume(value) }
        return number
    }
}

extension Latch<Void> {
    /// Resumes all waiting tasks. Later waits return immediately.
    func set() { set(()) }
}
