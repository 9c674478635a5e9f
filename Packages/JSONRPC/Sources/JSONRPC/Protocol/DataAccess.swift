/// The data that a call reads and changes, by names that the program chooses.
///
/// A call waits for the earlier changes to the data that it reads or changes, and for no others.
public struct DataAccess: Sendable, Hashable {
    /// The data that it reads.
    public var reads: Set<String>
    /// The data that it changes. It counts only for calls that change data.
    public var changes: Set<String>

    /// Names the data.
    public init(reads: Set<String> = [], changes: Set<String> = []) {
        (self.reads, self.changes) = (reads, changes)
    }

    /// No data: the call waits for nothing.
    public static let none = DataAccess()

    /// The same access, which also reads `names`.
    public func reading(_ names: Set<String>) -> DataAccess {
        DataAccess(reads: reads.union(names), changes: changes)
    }
}
