/// The data that a call reads and changes. The program chooses the names.
///
/// A call waits only for earlier changes to data that it reads or changes.
public struct DataAccess: Sendable, Hashable {
    /// The data that the call reads.
    public var reads: Set<String>
    /// The data that the call changes. Ignored for calls without side effects.
    public var changes: Set<String>

    /// Creates a description of an access.
    ///
    /// - Parameters:
    ///   - reads: The names of the data that the call reads.
    ///   - changes: The names of the data that the call changes.
    public init(reads: Set<String> = [], changes: Set<String> = []) {
        (self.reads, self.changes) = (reads, changes)
    }

    /// No data: the call does not wait for changes.
    public static let none = DataAccess()

    /// Returns this access with `names` added to the data that is read.
    public func reading(_ names: Set<String>) -> DataAccess {
        DataAccess(reads: reads.union(names), changes: changes)
    }
}
