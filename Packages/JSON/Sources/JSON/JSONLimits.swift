/// Bounds on what is read.
public struct JSONLimits: Sendable, Hashable {
    /// The longest text, in bytes.
    public var maximumBytes: Int
    /// The deepest nesting of arrays and objects.
    public var maximumDepth: Int

    /// Makes limits; 64 MiB and 128 levels unless said otherwise.
    public init(maximumBytes: Int = 64 << 20, maximumDepth: Int = 128) {
        self.maximumBytes = maximumBytes
        self.maximumDepth = max(1, maximumDepth)
    }
}
