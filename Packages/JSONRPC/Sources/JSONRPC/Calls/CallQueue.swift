import JSON
import Synchronization

/// Runs the calls of a connection, in order and within limits, and cancels them.
///
/// A call waits for earlier changes to its data: a list requested after a change contains the
/// change. Calls that access different data run concurrently.
final class CallQueue: Sendable {
    /// Set when the input has ended. Calls can still reply then.
    let inputEnd = Latch<Void>()
    private let limits: RPCLimits
    private let backpressure: OutputBackpressure
    private let state: Mutex<CallQueueState>

    /// Creates a queue that starts calls only while `backpressure` has capacity for replies.
    init(limits: RPCLimits, backpressure: OutputBackpressure) {
        self.limits = limits
        self.backpressure = backpressure
        state = Mutex(CallQueueState(limits: limits))
    }

    /// Whether any changes have not finished, so that a new call may have to wait.
    var hasChanges: Bool { state.withLock { $0.hasChanges } }

    /// The estimated memory of the calls, in bytes.
    var bytes: Int { state.withLock { $0.bytes } }
    var isIdle: Bool { state.withLock { $0.isIdle } }
    var runningCount: Int { state.withLock { $0.runningCount } }

    /// Accepts a call. Throws -32000 if too many calls are in progress, and -32001 after
    /// ``cancelAll()``.
    ///
    /// If a fast call can start now, it runs on this thread until it first suspends: waking another
    /// thread would take longer than the call.
    func submit(_ call: QueuedCall) throws(RPCError) {
        let mayRunInline = call.isFast && backpressure.hasCapacity
        let (number, work) = try state.withLock { state throws(RPCError) in
            let accepted = try state.submit(call, mayRunInline: mayRunInline)
            if accepted.work == nil { startCalls(&state) }
            return accepted
        }
        guard let work else { return }
        let task = Task.immediateDetached { [self] in finish(number, await work()) }
        let isCancelled = state.withLock { state in
            state.calls[number]?.task = task
            return state.calls[number]?.isCancelled ?? false
        }
        if isCancelled { task.cancel() }
    }

    /// Starts all calls that can start now.
    func startCalls() { state.withLock { startCalls(&$0) } }

    private func startCalls(_ locked: inout CallQueueState) {
        guard backpressure.hasCapacity else { return }
        while let number = locked.startNext() {
            locked.calls[number]?.task = Task.detached { [self] in
                // `work` is nil if the call was cancelled before it started.
                let work = state.withLock { $0.calls[number]?.begin() }
                finish(number, await work?() ?? .unchanged)
            }
        }
    }

    private func finish(_ number: UInt64, _ outcome: QueuedCall.Outcome) {
        // Send the reply before the call ends: when no calls are left, the output is closed.
        let due = state.withLock { $0.calls[number]?.finish(outcome) }
        if let due { due.handler(due.reply) }
        perform { $0.end(number) }
    }

    /// Runs a transition, starts the calls that can start now, and performs the returned actions.
    private func perform(_ transition: (inout CallQueueState) -> CallQueueState.EndActions) {
        let actions = state.withLock { state in
            let actions = transition(&state)
            startCalls(&state)
            return actions
        }
        for turn in actions.turns { turn.set() }
        for waiter in actions.idleWaiters { waiter.resume() }
    }
}

extension CallQueue {
    /// Reserves a slot after the earlier changes to the data in `access` (nil for all data).
    func reserveSlot(_ access: DataAccess?) -> CallQueueState.Slot {
        state.withLock { $0.reserveSlot(access) }
    }

    func releaseSlot(_ slot: CallQueueState.Slot) { perform { $0.releaseSlot(slot) } }

    /// Stops counting a running call as running, while it waits for something slow.
    func pauseCall() {
        state.withLock { state in
            state.pauseCall()
            startCalls(&state)
        }
    }

    /// Counts a call as running again, after ``pauseCall()``.
    func resumeCall() { state.withLock { $0.resumeCall() } }
}

extension CallQueue {
    /// Cancels the call whose id has the key `key` (``RequestID/key``).
    ///
    /// If the call changed nothing, the reply is sent now. If it may have changed data, its handler
    /// knows the outcome and has ``RPCLimits/cancellationTimeout`` to reply.
    func cancel(_ key: [UInt8], _ cancellation: Cancellation) {
        let actions = state.withLock { $0.cancel(key, cancellation) }
        perform(actions)
        guard let number = actions.pendingNumber else { return }
        Task.detached { [self, limits] in
            try? await Task.sleep(for: limits.cancellationTimeout)
            perform(state.withLock { $0.abandon(number) })
        }
    }

    /// Sets ``inputEnd`` and waits until no calls are left.
    func drain() async {
        inputEnd.set()
        await withCheckedContinuation { continuation in
            let isWaiting = state.withLock { $0.addIdleWaiter(continuation) }
            if !isWaiting { continuation.resume() }
        }
    }

    /// Cancels all calls and rejects new ones. Sends all replies now, except those of calls that
    /// may have changed data: their handlers can reply until ``abandonAll()``.
    func cancelAll() {
        perform(state.withLock { $0.cancelAll() })
        perform { $0.removeReplied() }
    }

    /// Replies to the calls whose handlers have not replied since ``cancelAll()``.
    func abandonAll() {
        perform(state.withLock { $0.abandonAll() })
        perform { $0.removeReplied() }
    }

    private func perform(_ actions: CallQueueState.CancelActions) {
        for task in actions.tasks { task.cancel() }
        for (_, due) in actions.replies { due.handler(due.reply) }
        perform { $0.repliesSent(actions.replies.map(\.number)) }
    }
}
