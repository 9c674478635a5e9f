import JSON

extension CallQueue {
    /// What is asked of the queue.
    struct Order: Sendable {
        /// What a cancel names; nil for what cannot be cancelled.
        var id: RequestID?
        /// What it occupies while it waits.
        var bytes: Int
        var effect: Method.CallEffect
        /// The data that it touches; nil for all.
        var access: DataAccess?
        /// Whether it takes so little time that it is done before the next message is looked at.
        var isQuick = false
        var work: @Sendable () async -> Outcome
        var reply: ReplyHandler
    }

    /// How the work of a call ended.
    enum Outcome: Sendable {
        /// With this answer; nil where none is wanted.
        case answered(JSONFragment?)
        /// Cancelled before it changed anything.
        case undone
    }

    /// Why a call is cancelled, which decides what is sent where its handler has no answer.
    enum Cancellation: Sendable {
        /// `$/cancelRequest` (LSP): each request has an answer.
        case request
        /// `notifications/cancelled` (MCP): the request should have no answer.
        case silentRequest
        /// The connection ends.
        case end

        /// Sent where nothing was changed; nil for no answer.
        var whenUndone: RPCError? {
            switch self {
            case .request: .requestCancelled
            case .silentRequest: nil
            case .end: .ended
            }
        }

        /// Sent where the handler did not stop in time, and may have changed something.
        var whenUnknown: RPCError? {
            switch self {
            case .request: .cancelledInDoubt
            case .silentRequest: nil
            case .end: .endedInDoubt
            }
        }
    }
}
