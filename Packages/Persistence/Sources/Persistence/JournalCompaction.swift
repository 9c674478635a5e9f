/// How a journal drops records that are no longer needed, so that it does not grow forever.
///
/// The caller decides which records survive. The journal decides when to compact.
public struct JournalCompaction: Sendable {
    /// The minimum file size, in bytes, at which an append considers compaction.
    public var threshold: Int
    /// Returns the records that replace the given ones, oldest first: a subset of them, or fewer
    /// records with the same meaning. This function runs while the journal is locked, and must not
    /// use the journal.
    public var surviving: @Sendable ([[UInt8]]) -> [[UInt8]]

    /// Creates a compaction.
    ///
    /// - Parameters:
    ///   - threshold: The minimum file size, in bytes, at which an append considers compaction.
    ///   - surviving: Returns the records that replace the given ones, oldest first. See
    ///     ``surviving``.
    public init(
        threshold: Int = 1 << 20,
        surviving: @escaping @Sendable ([[UInt8]]) -> [[UInt8]]
    ) {
        self.threshold = threshold
        self.surviving = surviving
    }
}
