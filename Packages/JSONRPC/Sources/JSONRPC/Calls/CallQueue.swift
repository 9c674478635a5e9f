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

/// The state machine of a ``CallQueue``: which calls wait, run, or are cancelled.
///
/// The transitions have no side effects. They return actions for the queue to perform after it has
/// released its lock: send replies, cancel tasks, resume waiting tasks.
struct CallQueueState {
    /// The position of a running call in the order of changes.
    struct Slot: Sendable {
        let number: UInt64
        /// Fires when the earlier changes have finished.
        let turn: Latch<Void>
    }

    /// The actions after a call or a slot has ended.
    struct EndActions {
        var turns: [Latch<Void>] = []
        var idleWaiters: [CheckedContinuation<Void, Never>] = []
    }

    /// The actions after a cancellation.
    struct CancelActions {
        var tasks: [Task<Void, Never>] = []
        var replies: [(number: UInt64, due: QueuedCall.DueReply)] = []
        /// A call whose handler may still reply.
        var pendingNumber: UInt64?
    }

    private enum Phase { case accepting, closed }

    private let limits: RPCLimits
    private var phase = Phase.accepting
    private var nextNumber: UInt64 = 0
    /// The calls that have not ended. The queue runs the transitions of individual calls itself.
    var calls: [UInt64: QueuedCall] = [:]
    /// The numbers of the calls, by id; nil until the first cancellation, because most connections
    /// never have one.
    private var numbersByID: [[UInt8]: UInt64]?
    private var order = ChangeOrder()
    /// The calls that can start, in the order in which they became ready: first those in `nextReady`,
    /// then those in `ready`. `nextReady` is reversed, because removing the last element of an array is cheap.
    private var ready: [UInt64] = []
    private var nextReady: [UInt64] = []
    /// The slots that wait for earlier changes.
    private var waitingSlots: [UInt64: Latch<Void>] = [:]
    private(set) var runningCount = 0
    private(set) var bytes = 0
    private var idleWaiters: [CheckedContinuation<Void, Never>] = []

    init(limits: RPCLimits) { self.limits = limits }

    var isIdle: Bool { calls.isEmpty }
    var hasChanges: Bool { order.hasChanges }
}

extension CallQueueState {
    /// Accepts a call and returns its number. Throws -32000 if too many calls are in progress, and
    /// -32001 after ``cancelAll()``.
    ///
    /// If `mayRunInline` is true and no other call is ahead, also starts the call and returns its
    /// work.
    mutating func submit(
        _ call: QueuedCall,
        mayRunInline: Bool
    ) throws(RPCError) -> (number: UInt64, work: QueuedCall.Work?) {
        if phase == .closed { throw .inputEnded }
        // A single call may exceed the limit: the maximum message size bounds it.
        guard bytes + call.bytes <= limits.maximumQueuedBytes || isIdle else { throw .overloaded }
        let number = nextNumber
        nextNumber += 1
        bytes += call.bytes
        calls[number] = call
        if let key = call.id?.key { numbersByID?[key] = number }
        let isReady = order.add(number, call.access, isChange: call.effect == .changes)
        let isNext = isReady && ready.isEmpty && nextReady.isEmpty
        if mayRunInline, isNext, runningCount < limits.maximumRunning {
            runningCount += 1
            return (number, calls[number]?.begin())
        }
        if isReady { ready.append(number) }
        return (number, nil)
    }

    /// Removes and returns the next call that can start, or nil.
    mutating func startNext() -> UInt64? {
        while runningCount < limits.maximumRunning {
            if nextReady.isEmpty {
                swap(&nextReady, &ready)
                nextReady.reverse()
            }
            guard let number = nextReady.popLast() else { return nil }
            if calls[number] == nil { continue }
            runningCount += 1
            return number
        }
        return nil
    }

    /// Records that the work of a started call has ended. If another thread is sending the reply,
    /// the call stays in the queue until then: when no calls are left, the output is closed.
    mutating func end(_ number: UInt64) -> EndActions {
        runningCount -= 1
        if calls[number]?.endWork() ?? true { remove(number) }
        let turns = order.isEmpty ? [] : unblock(after: number)
        return EndActions(turns: turns, idleWaiters: takeIdleWaiters())
    }

    private mutating func remove(_ number: UInt64) {
        guard let call = calls.removeValue(forKey: number) else { return }
        bytes -= call.bytes
        if let key = call.id?.key, numbersByID?[key] == number { numbersByID?[key] = nil }
    }

    mutating func pauseCall() { runningCount -= 1 }
    mutating func resumeCall() { runningCount += 1 }

    /// Stores a continuation to resume when no calls are left; false if none are left now.
    mutating func addIdleWaiter(_ waiter: CheckedContinuation<Void, Never>) -> Bool {
        if isIdle { return false }
        idleWaiters.append(waiter)
        return true
    }

    /// Removes and returns the stored continuations if no calls are left.
    private mutating func takeIdleWaiters() -> [CheckedContinuation<Void, Never>] {
        guard isIdle else { return [] }
        defer { idleWaiters = [] }
        return idleWaiters
    }
}

extension CallQueueState {
    /// Adds a slot after the earlier changes to the data in `access` (nil for all data).
    mutating func reserveSlot(_ access: DataAccess?) -> Slot {
        let slot = Slot(number: nextNumber, turn: Latch())
        nextNumber += 1
        if order.add(slot.number, access, isChange: true) {
            slot.turn.set()
        } else {
            waitingSlots[slot.number] = slot.turn
        }
        return slot
    }

    /// Ends a slot, even if it still waits.
    mutating func releaseSlot(_ slot: Slot) -> EndActions {
        waitingSlots[slot.number] = nil
        // If it still waits, the calls after it continue to wait for the earlier changes.
        if order.isWaiting(slot.number) { return EndActions() }
        return EndActions(turns: unblock(after: slot.number))
    }

    /// Removes an ended call or slot from the order. Marks the calls that waited only for it as
    /// ready, and returns the latches of such slots.
    private mutating func unblock(after number: UInt64) -> [Latch<Void>] {
        var turns: [Latch<Void>] = []
        var ended = [number]
        while !ended.isEmpty {
            for dependent in order.remove(ended.removeFirst()) {
                if calls[dependent] != nil {
                    ready.append(dependent)
                } else if let turn = waitingSlots.removeValue(forKey: dependent) {
                    turns.append(turn)
                } else {
                    // The dependent call was cancelled while it waited.
                    ended.append(dependent)
                }
            }
        }
        return turns
    }
}

extension CallQueueState {
    /// Cancels the call whose id has the key `key`. If two calls have the same id, cancels the
    /// later one.
    mutating func cancel(_ key: [UInt8], _ cancellation: Cancellation) -> CancelActions {
        if numbersByID == nil {
            let numbered = calls.compactMap { number, call in call.id.map { ($0.key, number) } }
            numbersByID = Dictionary(numbered, uniquingKeysWith: max)
        }
        var actions = CancelActions()
        if let number = numbersByID?[key] { cancel(number, cancellation, &actions) }
        return actions
    }

    /// Cancels all calls and rejects new ones.
    mutating func cancelAll() -> CancelActions {
        phase = .closed
        var actions = CancelActions()
        for number in calls.keys.sorted() { cancel(number, .byInputEnd, &actions) }
        return actions
    }

    private mutating func cancel(
        _ number: UInt64,
        _ cancellation: Cancellation,
        _ actions: inout CancelActions
    ) {
        guard let action = calls[number]?.cancel(cancellation) else { return }
        if let task = calls[number]?.task { actions.tasks.append(task) }
        switch action {
        case .none: break
        case .send(let due): actions.replies.append((number, due))
        case .waitForHandler: actions.pendingNumber = number
        }
    }

    /// Replies to a cancelled call whose handler has not replied.
    mutating func abandon(_ number: UInt64) -> CancelActions {
        CancelActions(replies: calls[number]?.abandon().map { [(number, $0)] } ?? [])
    }

    /// Replies to all cancelled calls whose handlers have not replied.
    mutating func abandonAll() -> CancelActions {
        CancelActions(
            replies: calls.keys.sorted().compactMap { number in
                calls[number]?.abandon().map { (number, $0) }
            }
        )
    }

    /// Records that the replies to these cancelled calls were sent.
    mutating func repliesSent(_ numbers: [UInt64]) -> EndActions {
        for number in numbers where calls[number]?.replySent() == true { remove(number) }
        return EndActions(idleWaiters: takeIdleWaiters())
    }

    /// Removes the calls whose reply was sent, even if their work has not ended.
    mutating func removeReplied() -> EndActions {
        for (number, call) in calls where call.isReplied { remove(number) }
        return EndActions(idleWaiters: takeIdleWaiters())
    }
}

/// Tracks which calls wait for which changes: each call waits for earlier changes to its data.
struct ChangeOrder {
    private struct Node {
        /// The number of changes that the call waits for.
        var pendingCount: Int
        /// The calls that wait for this call.
        var dependents: [UInt64] = []
        /// The data that the call changes; nil for all data.
        let changes: Set<String>?
    }

    /// The unfinished changes, and the calls that wait for them.
    private var nodes: [UInt64: Node] = [:]
    /// The last change to each kind of data. It waits for all earlier changes to that data.
    private var last: [String: UInt64] = [:]
    /// The last change to all data.
    private var lastToAll: UInt64?

    /// Whether there are neither changes nor calls that wait for one.
    var isEmpty: Bool { nodes.isEmpty }
    /// Whether there are unfinished changes, so that a new call may have to wait.
    var hasChanges: Bool { !last.isEmpty || lastToAll != nil }

    /// Adds a call; true if it does not have to wait. `access` is nil for all data.
    mutating func add(_ number: UInt64, _ access: DataAccess?, isChange: Bool) -> Bool {
        if !isChange, !hasChanges { return true }
        let names = access.map { isChange ? $0.reads.union($0.changes) : $0.reads }
        var earlier = Set(names.map { $0.compactMap { last[$0] } } ?? Array(last.values))
        if let lastToAll, names?.isEmpty != true { earlier.insert(lastToAll) }
        for change in earlier { nodes[change]?.dependents.append(number) }
        guard isChange || !earlier.isEmpty else { return true }
        let changes = isChange ? access?.changes : []
        nodes[number] = Node(pendingCount: earlier.count, changes: changes)
        if let changes {
            for name in changes { last[name] = number }
        } else {
            (last, lastToAll) = ([:], number)
        }
        return earlier.isEmpty
    }

    /// Whether a call waits for a change.
    func isWaiting(_ number: UInt64) -> Bool {
        nodes[number].map { $0.pendingCount > 0 } ?? false
    }

    /// Removes a finished call; returns the calls that no longer have to wait, in order.
    mutating func remove(_ number: UInt64) -> [UInt64] {
        guard let node = nodes.removeValue(forKey: number) else { return [] }
        if lastToAll == number { lastToAll = nil }
        for name in node.changes ?? [] where last[name] == number { last[name] = nil }
        return node.dependents.filter { dependent in
            nodes[dependent]?.pendingCount -= 1
            return nodes[dependent]?.pendingCount == 0
        }
    }
}
