@testable import PostgreSQLStorage

extension TestServers {
    /// Runs a statement on a connection of its own and returns the rows, as text.
    @discardableResult
    static func run(_ text: String, on url: String) throws -> [[String]] {
        try run(text, on: Connection(url: url))
    }

    /// Runs a statement on a connection and returns the rows, as text.
    @discardableResult
    static func run(_ text: String, on connection: Connection) throws -> [[String]] {
        try connection.run(
            Query(
                SQL(text),
                eachRow: { row throws(DatabaseError) in
                    (0..<row.columnCount).map { row.text($0) }
                }
            )
        )
    }
}
