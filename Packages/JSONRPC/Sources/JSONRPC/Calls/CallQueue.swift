import JSON
import Synchronization

/// The calls of a connection: some run, others wait, and all can be cancelled.
///
/// A call runs after the earlier changes to its data, so that a list sent after a change contains the
/// change. Calls that access other data do not wait.
final class CallQueue: Sendable {
    /// Fires when the input has ended, in time for a last reply.
    let inputEnd = Signal()
    private let limits: RPCLimits
    private let backpressure: OutputBackpressure
    private let state: Mutex<CallQueueState>

    /// Makes a queue that starts calls only while `backpressure` allows more replies.
    init(limits: RPCLimits, backpressure: OutputBackpressure) {
        self.limits = limits
        self.backpressure = backpressure
        state = Mutex(CallQueueState(limits: limits))
    }

    /// Whether a call may have to wait for a change.
    var hasChanges: Bool { state.withLock { $0.hasChanges } }

    /// The memory that the calls hold, in bytes (``QueuedCall/bytes``).
    var bytes: Int { state.withLock { $0.bytes } }
    var isIdle: Bool { state.withLock { $0.isIdle } }
    var runningCount: Int { state.withLock { $0.runningCount } }

    /// Accepts a call. Throws -32000 if too many calls are in progress, and -32001 after
    /// ``cancelAll()``.
    ///
    /// A fast call that may start now runs on this thread up to its first suspension: handing it to
    /// another thread would take longer.
    func submit(_ call: QueuedCall) throws(RPCError) {
        let mayRunInline = call.isFast && backpressure.allowsReplies
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

    /// Starts the calls that may start now.
    func startCalls() { state.withLock { startCalls(&$0) } }

    private func startCalls(_ locked: inout CallQueueState) {
        guard backpressure.allowsReplies else { return }
        while let number = locked.startNext() {
            locked.calls[number]?.task = Task.detached { [self] in
                // Nil if the call was cancelled while it waited.
                let work = state.withLock { $0.calls[number]?.begin() }
                finish(number, await work?() ?? .unchanged)
            }
        }
    }

    private func finish(_ number: UInt64, _ outcome: QueuedCall.Outcome) {
        // The reply is sent before the call ends: when no call is left, the output is closed.
        let due = state.withLock { $0.calls[number]?.finish(outcome) }
        if let due { due.handler(due.reply) }
        perform { $0.end(number) }
    }

    /// Runs a transition that ends something, and then starts what waited for it.
    private func perform(_ transition: (inout CallQueueState) -> CallQueueState.EndActions) {
        let actions = state.withLock { state in
            let actions = transition(&state)
            startCalls(&state)
            return actions
        }
        for turn in actions.turns { turn.fire() }
        for waiter in actions.idleWaiters { waiter.resume() }
    }
}

extension CallQueue {
    /// Reserves a place behind the earlier changes to the data in `access`, which is nil for all.
    func reserveSlot(_ access: DataAccess?) -> CallQueueState.Slot {
        state.withLock { $0.reserveSlot(access) }
    }

    func releaseSlot(_ slot: CallQueueState.Slot) { perform { $0.releaseSlot(slot) } }

    /// Stops counting a running call as running while it waits for something outside.
    func pauseCall() {
        state.withLock { state in
            state.pauseCall()
            startCalls(&state)
        }
    }

    /// Ends ``pauseCall()``.
    func resumeCall() { state.withLock { $0.resumeCall() } }
}

extension CallQueue {
    /// Cancels the call with that id (``RequestID/key``).
    ///
    /// A call that changed nothing is answered now. One that may have changed data is answered by
    /// its handler, which knows what it achieved, if it ends within
    /// ``RPCLimits/cancellationTimeout``.
    func cancel(_ key: [UInt8], _ cancellation: Cancellation) {
        let actions = state.withLock { $0.cancel(key, cancellation) }
        perform(actions)
        guard let number = actions.pendingNumber else { return }
        Task.detached { [self, limits] in
            try? await Task.sleep(for: limits.cancellationTimeout)
            perform(state.withLock { $0.abandon(number) })
        }
    }

    /// Fires ``inputEnd`` and returns when no call is left.
    func drain() async {
        inputEnd.fire()
        await withCheckedContinuation { continuation in
            let isWaiting = state.withLock { $0.addIdleWaiter(continuation) }
            if !isWaiting { continuation.resume() }
        }
    }

    /// Cancels all calls and accepts no more. All are answered now, except those that may have
    /// changed data: they have until ``abandonAll()``.
    func cancelAll() {
        perform(state.withLock { $0.cancelAll() })
        perform { $0.removeReplied() }
    }

    /// Answers the calls that did not end after ``cancelAll()``.
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
