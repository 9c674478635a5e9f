/// How much of a body has been transferred.
public struct HTTPProgress: Sendable, Hashable {
    /// The number of bytes so far.
    public var completedBytes: Int
    /// The number of bytes of the whole body; nil if it is not known.
    public var totalBytes: Int?
}
