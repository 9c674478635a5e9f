import Foundation
import Testing

/// A different process that uses the database file of a backend.
struct DatabaseWriter {
    private let child: ChildProcess

    /// Starts a write transaction, which lasts until `release()`.
    static func locking(_ database: String) async throws -> DatabaseWriter {
        let child = try python(
            """
            import sqlite3, sys
            connection = sqlite3.connect(sys.argv[1], timeout=30, isolation_level=None)
            connection.execute("BEGIN IMMEDIATE")
            print("locked", flush=True)
            sys.stdin.read()
            connection.execute("ROLLBACK")
            """,
            database
        )
        try #require(await child.line() == "locked", "\(child.standardError())")
        return DatabaseWriter(child: child)
    }

    /// Ends the transaction.
    func release() async throws {
        child.endInput()
        try #require(await child.exitCode() == 0, "\(child.standardError())")
    }

    /// Inserts copies of the first appointment, each at a time of its own.
    static func copyFirstAppointment(_ count: Int, in database: String) async throws {
        let child = try python(
            """
            import sqlite3, sys
            connection = sqlite3.connect(sys.argv[1], timeout=30, isolation_level=None)
            # Without columns that are computed.
            names = [row[1] for row in connection.execute("PRAGMA table_info(appointments)")]
            columns = ",".join(names)
            rows = connection.execute(f"SELECT {columns} FROM appointments LIMIT 1")
            first = dict(zip(names, rows.fetchone()))
            insert = f"INSERT INTO appointments ({columns}) VALUES ({','.join('?' * len(names))})"
            def copy(number):
                changed = {"number": None, "id": f"b0000000-0000-4000-8000-{number:012}",
                           "instant": first["instant"] + 1800 * number,
                           "idempotency_key": f"copy-{number}"}
                return list((first | changed).values())
            connection.execute("BEGIN IMMEDIATE")
            connection.executemany(insert, map(copy, range(1, int(sys.argv[2]) + 1)))
            connection.execute("COMMIT")
            """,
            database,
            "\(count)"
        )
        try #require(await child.exitCode() == 0, "\(child.standardError())")
    }

    private static func python(_ script: String, _ arguments: String...) throws -> ChildProcess {
        try ChildProcess("/usr/bin/python3", ["-c", script] + arguments)
    }
}
