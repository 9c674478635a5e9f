/// How a journal forgets what is settled, so that it does not grow for ever.
///
/// Only the caller knows which records belong together and which are settled; the journal knows when
/// it is worth while.
public struct JournalCompaction: Sendable {
    /// The size of the file, in bytes, from which on an append tries it.
    public var threshold: Int
    /// What is to stay of all records, oldest first: records of them in their order, or fewer that
    /// say the same. It runs with the journal locked, and must not use it.
    public var surviving: @Sendable ([[UInt8]]) -> [[UInt8]]

    /// Makes one; `threshold` is in bytes, 1 MiB unless told.
    public init(
        threshold: Int = 1 << 20,
        surviving: @escaping @Sendable ([[UInt8]]) -> [[UInt8]]
    ) {
        self.threshold = threshold
        self.surviving = surviving
    }
}
