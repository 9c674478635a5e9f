import BookingStorage
import PostgreSQLTestSupport
import Testing

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
                eachRow: { row in
                    guard let row = row as? QueryResult.Row else { return [] }
                    return (0..<row.columnCount).map { row.text($0) }
                }
            )
        )
    }

    /// Repeats a query until its only value is `expected`. The server may be recovering. Other tasks
    /// can run meanwhile.
    static func wait(for expected: String, _ query: String, on url: String) async throws {
        let deadline = ContinuousClock.now + .seconds(60)
        while (try? run(query, on: url)) != [[expected]] {
            try #require(ContinuousClock.now < deadline, "\(query) is not \(expected)")
            await Task.yield()
        }
    }
}
