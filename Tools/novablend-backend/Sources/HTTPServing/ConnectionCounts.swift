/// How many connections a server has, and had since it started.
public struct ConnectionCounts: Sendable, Hashable {
    /// Those that are open now.
    public var open: Int
    /// Those that were accepted.
    public var accepted: Int
    /// Those that were answered with 503 because the server had too many.
    public var rejected: Int

    /// Creates counts.
    public init(open: Int, accepted: Int, rejected: Int) {
        (self.open, self.accepted, self.rejected) = (open, accepted, rejected)
    }
}
