import JSON

extension CallQueue {
    /// A call that was taken, until its work has ended.
    struct Entry {
        private enum Phase {
            /// Nothing of it has been done yet.
            case waiting
            case running
            /// Cancelled while it may change something: its handler's answer is sent, if it comes
            /// in time.
            case stopping(Cancellation)
            /// Whatever its handler still gives is dropped.
            case answered
        }

        /// What the queue does for a cancel.
        enum CancelAction {
            case nothing
            /// Cancel its task, and send this.
            case send(DueReply)
            /// Cancel its task, and wait for the handler's answer.
            case waitForHandler
        }

        let order: Order
        var task: Task<Void, Never>?
        private var phase = Phase.waiting
        /// Whether its answer has been handed over, before its work has ended.
        var isReplySent = false

        init(order: Order) { self.order = order }

        /// Whether its task is to be cancelled, also one that is known only now.
        var isCancelled: Bool {
            switch phase {
            case .waiting, .running: false
            case .stopping, .answered: true
            }
        }

        /// Begins the work; false when it is no longer wanted.
        mutating func begin() -> Bool {
            guard case .waiting = phase else { return false }
            phase = .running
            return true
        }

        mutating func cancel(_ cancellation: Cancellation) -> CancelAction {
            switch phase {
            case .stopping, .answered: return .nothing
            case .running where order.effect != .reads:
                phase = .stopping(cancellation)
                return .waitForHandler
            case .waiting, .running:
                phase = .answered
                return .send(due(cancellation.whenUndone))
            }
        }

        /// Takes how the work ended; nil when the call was answered before.
        mutating func finish(_ outcome: Outcome) -> DueReply? {
            defer { phase = .answered }
            switch (phase, outcome) {
            case (.answered, _): return nil
            case (_, .answered(let answer)): return DueReply(reply: order.reply, answer: answer)
            case (.stopping(let cancellation), .undone): return due(cancellation.whenUndone)
            case (.waiting, .undone), (.running, .undone): return due(.requestCancelled)
            }
        }

        /// Gives up a handler that does not stop; nil when the call was answered before.
        mutating func abandon() -> DueReply? {
            guard case .stopping(let cancellation) = phase else { return nil }
            phase = .answered
            return due(cancellation.whenUnknown)
        }

        private func due(_ error: RPCError?) -> DueReply {
            let answer = order.id.flatMap { id in error.map { Reply.error($0, id: id.bytes) } }
            return DueReply(reply: order.reply, answer: answer)
        }
    }

    /// A reply to send outside the queue's lock.
    struct DueReply {
        let reply: ReplyHandler
        /// Nil where no answer is wanted.
        let answer: JSONFragment?

        func send() { reply(answer) }
    }
}
