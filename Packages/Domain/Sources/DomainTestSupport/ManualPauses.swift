public import Domain
import Synchronization

/// Pauses that last until a test ends them.
public final class ManualPauses: Pausing {
    private struct State {
        var requested: [Duration] = []
        var pending: [Int: CheckedContinuation<Bool, Never>] = [:]
        var isCancelled = false
        /// How many pauses have ended together. Some of them may not be pending yet.
        var endedCount = 0
        var waiters: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())

    /// Creates pauses that last until ``endAll()``.
    public init() {}

    /// The duration of every pause so far, in order.
    public var requested: [Duration] { state.withLock(\.requested) }

    /// The number of pauses that have started and neither ended nor been cancelled.
    public var pendingCount: Int { state.withLock(\.pending.count) }

    /// Waits until `count` pauses have started.
    public func wait(for count: Int = 1) async {
        await withCheckedContinuation { continuation in
            let isReached = state.withLock { state in
                if state.requested.count >= count { return true }
                state.waiters.append((count, continuation))
                return false
            }
            if isReached { continuation.resume() }
        }
    }

    /// Ends every pause that has started.
    public func endAll() {
        let pending = state.withLock { state in
            state.endedCount = state.requested.count
            defer { state.pending = [:] }
            return state.pending
        }
        for continuation in pending.values { continuation.resume(returning: true) }
    }

    /// Cancels every pause that has started, and all later ones. Call it at the end of a test whose
    /// pauses are repeated: a task that waits forever is a leak.
    public func cancelAll() {
        let pending = state.withLock { state in
            state.isCancelled = true
            defer { state.pending = [:] }
            return state.pending
        }
        for continuation in pending.values { continuation.resume(returning: false) }
    }

    /// Records the pause and returns when the test ends it.
    public func pause(for duration: Duration) async throws(CancellationError) {
        let (number, reached) = state.withLock { state in
            state.requested.append(duration)
            let number = state.requested.count
            let reached = state.waiters.filter { $0.count <= number }
            state.waiters.removeAll { $0.count <= number }
            return (number, reached.map(\.continuation))
        }
        let isOver = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let (isOver, isCancelled) = state.withLock { state in
                    state.pending[number] = continuation
                    return (number <= state.endedCount, state.isCancelled)
                }
                for waiter in reached { waiter.resume() }
                if isOver { end(number, true) }
                if isCancelled || Task.isCancelled { end(number, false) }
            }
        } onCancel: {
            end(number, false)
        }
        if !isOver { throw CancellationError() }
    }

    private func end(_ number: Int, _ isOver: Bool) {
        state.withLock { $0.pending.removeValue(forKey: number) }?.resume(returning: isOver)
    }
}
