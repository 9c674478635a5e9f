import BookingStorage
import Domain

/// A numbered change of the tables. It runs in one transaction.
public struct Migration: Sendable {
    /// The number: 1 for the first. A database stores the number of its last migration.
    public let number: Int
    /// What changes, as a short sentence.
    public let summary: String

    /// Changes the tables. It receives the salons to add to a database that has no salons yet.
    let apply: @Sendable (Database, [Salon]) throws(StorageFailure) -> Void
}
