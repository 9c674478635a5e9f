import JSON

/// A call of the ``CallQueue``, and its state machine from its submission to the end of its work.
struct QueuedCall: Sendable {
    /// How the work of a call ended.
    enum Outcome: Sendable {
        /// With this reply; nil for a notification.
        case replied(JSONFragment?)
        /// Cancelled before it changed anything.
        case unchanged
    }

    enum State: Sendable {
        /// Its work has not begun.
        case waiting
        case running
        /// Cancelled while it may change data. The reply of its handler is sent if it comes in time.
        case cancelling(Cancellation)
        /// Its reply is being sent, outside the lock of the queue, because it was cancelled. A later
        /// reply of its handler is dropped.
        case replying(hasEnded: Bool)
        /// Its reply was sent before its work ended.
        case replied
        /// Its work has ended. The thread that did the work sends the reply, unless that was done.
        case finished
    }

    /// A reply to send outside the lock of the queue.
    struct DueReply {
        let handler: ReplyHandler
        /// Nil if the call gets no reply.
        let reply: JSONFragment?
    }

    /// How the queue carries out a cancellation, after it has cancelled the task.
    enum CancelAction {
        case none
        case send(DueReply)
        case waitForHandler
    }

    typealias Work = @Sendable () async -> Outcome
    /// Sends a reply; nil if the call gets none.
    typealias ReplyHandler = @Sendable (JSONFragment?) -> Void

    /// The id that a cancellation names; nil for a call that cannot be cancelled.
    var id: RequestID?
    /// The memory that it holds while it waits (``estimatedMemory(ofMessage:)``).
    var bytes: Int
    var effect: Method.CallEffect
    /// The data that it accesses; nil for all data.
    var access: DataAccess?
    /// Whether it is expected to take so little time that it may run on the submitting thread.
    var isFast = false
    var work: Work
    var reply: ReplyHandler
    /// The task that does the work; nil before it is started.
    var task: Task<Void, Never>?
    private(set) var state = State.waiting

    /// Whether the task is to be cancelled.
    var isCancelled: Bool {
        switch state {
        case .waiting, .running: false
        case .cancelling, .replying, .replied, .finished: true
        }
    }

    /// Whether its reply was sent before its work ended.
    var isReplied: Bool { if case .replied = state { true } else { false } }

    /// Approximately how many bytes a waiting call holds for a message of `size` bytes.
    ///
    /// Measured in a release build: a call of 54 bytes holds 1.4 KiB; one of 115 bytes with three
    /// parameters holds 2.9 KiB. Short messages are parsed into larger buffers, and each parameter
    /// is stored by name. For a long message the parser holds at most nine times its size.
    static func estimatedMemory(ofMessage size: Int) -> Int {
        let small = min(size, 1_024)
        return 1_024 + 24 * small + 10 * (size - small)
    }
}

extension QueuedCall {
    /// Begins the work; nil if the call was cancelled first.
    mutating func begin() -> Work? {
        guard case .waiting = state else { return nil }
        state = .running
        return work
    }

    mutating func cancel(_ cancellation: Cancellation) -> CancelAction {
        switch state {
        case .running where effect != .reads:
            state = .cancelling(cancellation)
            return .waitForHandler
        case .waiting, .running:
            state = .replying(hasEnded: false)
            return .send(due(cancellation.unchangedError))
        case .cancelling, .replying, .replied, .finished:
            return .none
        }
    }

    /// Returns the reply of its work; nil if the call has one already. ``endWork()`` follows.
    mutating func finish(_ outcome: Outcome) -> DueReply? {
        switch (state, outcome) {
        case (.replying, _), (.replied, _), (.finished, _): return nil
        case (_, .replied(let reply)):
            state = .finished
            return DueReply(handler: self.reply, reply: reply)
        case (.cancelling(let cancellation), .unchanged):
            state = .finished
            return due(cancellation.unchangedError)
        case (.waiting, .unchanged), (.running, .unchanged):
            state = .finished
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
        return hasEnded
    }

    private func due(_ error: RPCError?) -> DueReply {
        let encoded = id.flatMap { id in error.map { Reply.error($0, id: id.bytes) } }
        return DueReply(handler: reply, reply: encoded)
    }
}
