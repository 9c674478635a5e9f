import JSON

/// Limits on the input, on memory, and on the time to end a connection. A number below 1 counts as 1.
public struct RPCLimits: Sendable, Hashable {
    /// The maximum size of a header block, in bytes.
    public var maximumHeaderBytes = 8 << 10
    /// The maximum size of a message, in bytes.
    public var maximumMessageBytes = 16 << 20
    /// The maximum nesting depth of a message.
    public var maximumDepth = 128
    /// The maximum number of messages in a batch.
    public var maximumBatchCount = 1_000
    /// The maximum number of calls that run concurrently. Other calls wait.
    public var maximumRunning = 64
    /// The memory limit in bytes, applied separately to the calls in progress and to the output that
    /// the peer has not read. A call that would exceed it is rejected with ``RPCError/overloaded``,
    /// unless no other call is in progress. While the unread output reaches the limit, no calls
    /// start; while it reaches twice the limit, no input is read. Notifications and calls that this
    /// side sends count as output, but are sent even beyond the limit.
    public var maximumQueuedBytes = 64 << 20
    /// The time that accepted calls have to finish after the input has ended or the connection was
    /// stopped.
    public var drainTimeout = Duration.milliseconds(1_500)
    /// The time that a cancelled call has to reply if it may have changed data.
    public var cancellationTimeout = Duration.seconds(2)

    /// Creates the default limits.
    public init() {}

    /// The limits on the JSON of a message.
    var json: JSONLimits {
        JSONLimits(maximumBytes: maximumMessageBytes, maximumDepth: maximumDepth)
    }

    /// These limits, with every number at least 1, because with less nothing would ever be
    /// accepted.
    var clamped: RPCLimits {
        var limits = self
        limits.maximumHeaderBytes = max(1, maximumHeaderBytes)
        limits.maximumMessageBytes = max(1, maximumMessageBytes)
        limits.maximumDepth = max(1, maximumDepth)
        limits.maximumBatchCount = max(1, maximumBatchCount)
        limits.maximumRunning = max(1, maximumRunning)
        limits.maximumQueuedBytes = max(1, maximumQueuedBytes)
        return limits
    }
}
