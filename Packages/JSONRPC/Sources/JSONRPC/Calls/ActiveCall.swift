import JSON

/// The state machine of one call, from its submission to the end of its work.
struct ActiveCall {
    private enum State {
        /// Its work has not begun.
        case waiting
        case running
        /// Cancelled while it may change data. The reply of its handler is sent if it comes in time.
        case cancelling(Cancellation)
        /// Its reply is being sent, outside the lock of the queue, because it was cancelled. A later
        /// reply of its handler is dropped.
        case replying(hasEnded: Bool)
        case replied
    }

    /// A reply to send outside the lock of the queue.
    struct DueReply {
        let handler: QueuedCall.ReplyHandler
        /// Nil if the call gets no reply.
        let reply: JSONFragment?

        func send() { handler(reply) }
    }

    /// How the queue carries out a cancellation, after it has cancelled the task.
    enum CancelAction {
        case none
        case send(DueReply)
        case waitForHandler
    }

    let call: QueuedCall
    private(set) var task: Task<Void, Never>?
    /// Whether its reply was sent before its work ended.
    private(set) var isReplySent = false
    private var state = State.waiting

    init(_ call: QueuedCall) { self.call = call }

    /// Stores the task that does the work; true if the call is already cancelled.
    mutating func setTask(_ task: Task<Void, Never>) -> Bool {
        self.task = task
        switch state {
        case .waiting, .running: return false
        case .cancelling, .replying, .replied: return true
        }
    }

    /// Begins the work; nil if the call was cancelled first.
    mutating func begin() -> QueuedCall.Work? {
        guard case .waiting = state else { return nil }
        state = .running
        return call.work
    }

    mutating func cancel(_ cancellation: Cancellation) -> CancelAction {
        switch state {
        case .running where call.effect != .reads:
            state = .cancelling(cancellation)
            return .waitForHandler
        case .waiting, .running:
            state = .replying(hasEnded: false)
            return .send(due(cancellation.unchangedError))
        case .cancelling, .replying, .replied:
            return .none
        }
    }

    /// Returns the reply of its work; nil if the call has one already. ``endWork()`` follows.
    mutating func finish(_ outcome: QueuedCall.Outcome) -> DueReply? {
        switch (state, outcome) {
        case (.replying, _), (.replied, _): return nil
        case (_, .replied(let reply)):
            state = .replied
            return DueReply(handler: call.reply, reply: reply)
        case (.cancelling(let cancellation), .unchanged):
            state = .replied
            return due(cancellation.unchangedError)
        case (.waiting, .unchanged), (.running, .unchanged):
            state = .replied
            return due(.requestCancelled)
        }
    }

    /// Ends the work; false if the call must stay until ``replySent()``.
    mutating func endWork() -> Bool {
        guard case .replying = state else { return true }
        state = .replying(hasEnded: true)
        return false
    }

    /// Replies for a cancelled handler that did not stop in time; nil if the call has its reply.
    mutating func abandon() -> DueReply? {
        guard case .cancelling(let cancellation) = state else { return nil }
        state = .replying(hasEnded: false)
        return due(cancellation.inDoubtError)
    }

    /// Records that the reply to a cancelled call was sent; true if its work has ended.
    mutating func replySent() -> Bool {
        guard case .replying(let hasEnded) = state else { return false }
        state = .replied
        isReplySent = true
        return hasEnded
    }

    private func due(_ error: RPCError?) -> DueReply {
        let reply = call.id.flatMap { id in error.map { Reply.error($0, id: id.bytes) } }
        return DueReply(handler: call.reply, reply: reply)
    }
}
