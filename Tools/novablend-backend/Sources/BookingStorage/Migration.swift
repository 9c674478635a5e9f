/// A numbered change of the tables. It runs in one transaction.
public struct Migration: Sendable {
    /// The number: 1 for the first. A database stores which of its migrations was the last.
    public let number: Int
    /// What changes, as a short sentence.
    public let summary: String

    /// The statements that change the tables.
    package let statements: [String]

    package init(number: Int, summary: String, statements: [String]) {
        self.number = number
        self.summary = summary
        self.statements = statements
    }
}

extension StorageFailure {
    /// The failure if the tables of a database have a version that is newer than the program.
    package static func newerSchema(_ version: Int, latest: Int) -> StorageFailure {
        StorageFailure(
            .newerSchema,
            "it has schema version \(version), but this version of novablend-backend knows "
                + "only \(latest); use a newer version or a different database"
        )
    }
}
