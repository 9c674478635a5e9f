import Synchronization

/// Something that happens once, and that tasks wait for.
final class Signal: Sendable {
    private struct State {
        var isGiven = false
        var next = 0
        var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
    }

    private let state = Mutex(State())

    /// Lets all waiting tasks go on, now and later.
    func give() {
        let waiting = state.withLock { state in
            state.isGiven = true
            defer { state.waiting = [:] }
            return state.waiting.values
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Returns once it was given, whether or not the task is cancelled.
    func wait() async {
        await withCheckedContinuation { _ = enqueue($0, unlessCancelled: false) }
    }

    /// Returns once it was given or the task is cancelled.
    func waitUnlessCancelled() async {
        let number = Mutex<Int?>(nil)
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // Under the number's lock, so that a cancel either sees it or is seen here.
                number.withLock { $0 = enqueue(continuation, unlessCancelled: true) }
            }
        } onCancel: {
            guard let number = number.withLock(\.self) else { return }
            state.withLock { $0.waiting.removeValue(forKey: number) }?.resume()
        }
    }

    private func enqueue(
        _ continuation: CheckedContinuation<Void, Never>,
        unlessCancelled: Bool
    ) -> Int? {
        let number: Int? = state.withLock { state in
            if state.isGiven || (unlessCancelled && Task.isCancelled) { return nil }
            state.next += 1
            state.waiting[state.next] = continuation
            return state.next
        }
        if number == nil { continuation.resume() }
        return number
    }
}
