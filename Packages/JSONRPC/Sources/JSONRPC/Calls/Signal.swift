import Synchronization

/// A one-time event that tasks can wait for.
final class Signal: Sendable {
    private struct State {
        var hasFired = false
        var nextNumber = 0
        var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
    }

    private let state = Mutex(State())

    /// Resumes all waiting tasks. Later waits return immediately.
    func fire() {
        let waiting = state.withLock { state in
            state.hasFired = true
            defer { state.waiting = [:] }
            return state.waiting.values
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Waits until the signal fires or the task is cancelled.
    func waitUnlessCancelled() async {
        let number = Mutex<Int?>(nil)
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // If the task is cancelled before `number` is set, `enqueue` sees the cancellation.
                number.withLock { $0 = enqueue(continuation) }
            }
        } onCancel: {
            guard let number = number.withLock(\.self) else { return }
            state.withLock { $0.waiting.removeValue(forKey: number) }?.resume()
        }
    }

    private func enqueue(_ continuation: CheckedContinuation<Void, Never>) -> Int? {
        let number: Int? = state.withLock { state in
            if state.hasFired || Task.isCancelled { return nil }
            state.nextNumber += 1
            state.waiting[state.nextNumber] = continuation
            return state.nextNumber
        }
        if number == nil { continuation.resume() }
        return number
    }
}
