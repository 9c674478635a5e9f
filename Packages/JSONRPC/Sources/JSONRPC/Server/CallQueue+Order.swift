import JSON

extension CallQueue {
    /// What is asked of the queue.
    struct Order: Sendable {
        /// What a cancel names; nil for what cannot be cancelled.
        var id: RequestID?
        /// The memory that it holds while it waits, as ``memory(ofMessage:)`` estimates it.
        var bytes: Int
        var effect: Method.CallEffect
        /// The data that it touches; nil for all.
        var access: DataAccess?
        /// Whether it takes so little time that it is done before the next message is looked at.
        var isQuick = false
        var work: @Sendable () async -> Outcome
        var reply: ReplyHandler
    }

    /// About how much memory a waiting call holds, in bytes, for a message of `size` bytes.
    ///
    /// Measured with a release build: a call of 54 bytes holds 1.4 KiB, one of 115 bytes with three
    /// parameters 2.9 KiB. Small texts are parsed into buffers larger than they are, and each
    /// parameter is kept by name; of a long text the parser keeps at most nine times its size.
    static func memory(ofMessage size: Int) -> Int {
        let small = min(size, 1_024)
        return 1_024 + 24 * small + 10 * (size - small)
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
