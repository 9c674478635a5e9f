/// Bounds on what a peer may send, and on how long it is waited for.
public struct RPCLimits: Sendable, Hashable {
    /// The longest block of headers, in bytes.
    public var maximumHeaderBytes = 8 << 10
    /// The longest message, in bytes.
    public var maximumMessageBytes = 16 << 20
    /// The deepest nesting of a message.
    public var maximumDepth = 128
    /// The most messages in a batch.
    public var maximumBatchCount = 1_000
    /// How many calls run at once; the others wait.
    public var maximumRunning = 64
    /// The memory that requests under way, and replies that wait to be read, may each hold, in
    /// bytes. Requests beyond it are refused as retryable. No call is started while more replies
    /// wait; beyond twice as much no input is read.
    public var maximumQueuedBytes = 64 << 20
    /// How long accepted requests may go on after the input has ended, in milliseconds.
    public var drainMilliseconds = 1_500
    /// How long a cancelled call that changes something may take to say how far it got, in
    /// milliseconds.
    public var cancellationMilliseconds = 2_000

    /// Makes the limits named above.
    public init() {}
}
