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
