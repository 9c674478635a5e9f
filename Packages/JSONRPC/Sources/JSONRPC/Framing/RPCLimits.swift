/// Bounds on the input, and on how long the end of a connection may take.
public struct RPCLimits: Sendable, Hashable {
    /// The longest block of headers, in bytes.
    public var maximumHeaderBytes = 8 << 10
    /// The longest message, in bytes.
    public var maximumMessageBytes = 16 << 20
    /// The deepest nesting of a message.
    public var maximumDepth = 128
    /// The most messages in a batch.
    public var maximumBatchCount = 1_000
    /// How many calls run concurrently. The others wait.
    public var maximumRunning = 64
    /// The memory in bytes that calls in progress may hold, and that replies may hold until the peer
    /// reads them. More calls are rejected as retryable. While more replies wait, no call starts;
    /// beyond twice as much, no input is read.
    public var maximumQueuedBytes = 64 << 20
    /// How long accepted calls may continue after the input has ended.
    public var drainTimeout = Duration.milliseconds(1_500)
    /// How long a cancelled call that may have changed data has for its reply.
    public var cancellationTimeout = Duration.seconds(2)

    /// Makes the default limits.
    public init() {}
}
