import Synchronization

/// An event that happens once, and that tasks can wait for.
final class Signal: Sendable {
    private struct State {
        var hasFired = false
        var nextNumber = 0
        var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
    }

    private let state = Mutex(State())

    /// Resumes all tasks that wait, now and later.
    func fire() {
        let waiting = state.withLock { state in
            state.hasFired = true
            defer { state.waiting = [:] }
            return state.waiting.values
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Returns when the signal has fired or the task is cancelled.
    func waitUnlessCancelled() async {
        let number = Mutex<Int?>(nil)
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // A cancellation either sees the number or is seen by `enqueue`.
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
