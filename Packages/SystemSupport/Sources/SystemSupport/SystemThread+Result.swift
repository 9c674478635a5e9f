import Synchronization

extension SystemThread {
    /// Runs blocking work on a thread of its own, and returns its result. Returns nil at once if the
    /// task is cancelled, or if the system cannot start a thread.
    ///
    /// A cancellation does not interrupt the work: its thread continues, and the result is dropped.
    /// So use this for work that can be abandoned, such as reading from a terminal before the
    /// program ends.
    public static func result<Value: Sendable>(
        of work: @escaping @Sendable () -> Value
    ) async -> Value? {
        let result = PendingResult<Value>()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                guard result.wait(continuation) else { return }
                do { try start { result.set(work()) } } catch { result.set(nil) }
            }
        } onCancel: {
            result.set(nil)
        }
    }
}

/// A result that is set at most once, and the continuation that waits for it.
private final class PendingResult<Value: Sendable>: Sendable {
    typealias Continuation = CheckedContinuation<Value?, Never>

    private struct State {
        var isSet = false
        var continuation: Continuation?
    }

    private let state = Mutex(State())

    /// Makes `continuation` wait. If the result is set already, which is then nil because the task
    /// was cancelled, resumes `continuation` and returns false.
    func wait(_ continuation: Continuation) -> Bool {
        let isWaiting = state.withLock { state in
            if !state.isSet { state.continuation = continuation }
            return !state.isSet
        }
        if !isWaiting { continuation.resume(returning: nil) }
        return isWaiting
    }

    /// Sets the result, unless it is set already.
    func set(_ value: Value?) {
        let continuation = state.withLock { state -> Continuation? in
            state.isSet = true
            defer { state.continuation = nil }
            return state.continuation
        }
        continuation?.resume(returning: value)
    }
}
