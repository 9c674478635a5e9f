import JSON

/// A call for the ``CallQueue``.
struct QueuedCall: Sendable {
    /// How the work of a call ended.
    enum Outcome: Sendable {
        /// With this reply; nil for a notification.
        case replied(JSONFragment?)
        /// Cancelled before it changed anything.
        case unchanged
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
