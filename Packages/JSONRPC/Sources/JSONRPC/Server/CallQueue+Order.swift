import JSON

extension CallQueue {
    /// What is asked of the queue.
    struct Order: Sendable {
        /// What a cancel names; nil for what cannot be cancelled.
        var id: RequestID?
        /// What it occupies while it waits.
        var bytes: Int
        var isChange: Bool
        /// Whether it takes so little time that it is done before the next message is looked at.
        var isQuick = false
        /// Makes the answer; nil where none is wanted.
        var work: @Sendable () async -> JSONFragment?
        var reply: Reply
    }
}
