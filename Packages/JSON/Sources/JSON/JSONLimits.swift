/// Limits for parsing.
public struct JSONLimits: Sendable, Hashable {
    /// The maximum size of a text, in bytes.
    public var maximumBytes: Int
    /// The maximum nesting depth of arrays and objects; at least 1. Decoding and writing a value
    /// need stack for each level, so a text could overflow the stack if more than about 1,000 levels
    /// are allowed.
    public var maximumDepth: Int

    /// Creates limits. The defaults are 64 MiB and 128 levels.
    public init(maximumBytes: Int = 64 << 20, maximumDepth: Int = 128) {
        self.maximumBytes = maximumBytes
        self.maximumDepth = max(1, maximumDepth)
    }
}
