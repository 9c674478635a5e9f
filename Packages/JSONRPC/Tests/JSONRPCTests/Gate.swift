import Foundation
import Synchronization

/// Suspends tasks until it is opened or they are cancelled. Also has a counter.
final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var count = 0
        var waiting: [UUID: CheckedContinuation<Void, Never>] = [:]
        var cancelled: [CheckedContinuation<Void, Never>] = []
        var hasCancelled = false
        var arrivals: [CheckedContinuation<Void, Never>] = []
        var hasArrival = false
    }

    private let state = Mutex(State())

    var counted: Int { state.withLock { $0.count } }

    func count() -> Int {
        state.withLock { state in
            state.count += 1
            return state.count
        }
    }

    func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [:] }
            return Array(state.waiting.values)
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Waits until a task has reached the gate.
    func arrival() async {
        await withCheckedContinuation { continuation in
            let hasArrival = state.withLock { state in
                if !state.hasArrival { state.arrivals.append(continuation) }
                return state.hasArrival
            }
            if hasArrival { continuation.resume() }
        }
    }

    /// Waits until a task was cancelled at the gate.
    func cancellation() async {
        await withCheckedContinuation { continuation in
            let hasCancelled = state.withLock { state in
                if !state.hasCancelled { state.cancelled.append(continuation) }
                return state.hasCancelled
            }
            if hasCancelled { continuation.resume() }
        }
    }

    func wait() async {
        let id = UUID()
        let arrivals = state.withLock { state in
            state.hasArrival = true
            defer { state.arrivals = [] }
            return state.arrivals
        }
        for continuation in arrivals { continuation.resume() }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let canPass = state.withLock { state in
                    if state.isOpen || Task.isCancelled { return true }
                    state.waiting[id] = continuation
                    return false
                }
                if canPass { continuation.resume() }
            }
        } onCancel: {
            let resumed = state.withLock { state in
                state.hasCancelled = true
                defer { state.cancelled = [] }
                return [state.waiting.removeValue(forKey: id)].compactMap(\.self) + state.cancelled
            }
            for continuation in resumed { continuation.resume() }
        }
    }
}
