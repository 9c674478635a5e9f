import BookingStorage

/// A numbered change of the tables. It runs in one transaction.
public struct Migration: Sendable {
    /// The number: 1 for the first. The database stores the numbers of its migrations.
    public let number: Int
    /// What changes, as a short sentence.
    public let summary: String

    /// The statements that change the tables.
    let statements: [String]
}
