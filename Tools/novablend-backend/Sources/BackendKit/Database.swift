import NovaBlendSystemSQLite
import Synchronization

/// A connection to SQLite, used by one thread at a time.
final class Database: Sendable {
    struct Failure: Error, CustomStringConvertible {
        let code: Int32
        let message: String

        var description: String { message }

        /// SQLITE_CONSTRAINT_UNIQUE, a macro that Swift does not import.
        var isUniqueViolation: Bool {
            code == SQLITE_CONSTRAINT | (8 << 8)
        }
        var isFull: Bool { code & 0xFF == SQLITE_FULL }
    }

    enum Value: Hashable {
        case integer(Int64), text(String), blob([UInt8]), null

        static func optional(_ text: String?) -> Value { text.map { .text($0) } ?? .null }
    }

    private static let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

    // Used only while `lock` is held, or during initialization and deinitialization.
    private nonisolated(unsafe) let handle: OpaquePointer
    private let lock = Mutex(())

    /// Opens the database at `path`; no other user can access its file. The path `:memory:` creates
    /// a database without a file.
    init(path: String) throws(Failure) {
        if path != ":memory:" { try DatabaseFile.restrict(path) }
        var opened: OpaquePointer?
        let flags =
            SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
            | SQLITE_OPEN_EXRESCODE
        let code = sqlite3_open_v2(path, &opened, flags, nil)
        guard code == SQLITE_OK, let opened else {
            sqlite3_close_v2(opened)
            throw Failure(code: code, message: String(cString: sqlite3_errstr(code)))
        }
        handle = opened
        sqlite3_busy_timeout(handle, 5_000)
        for pragma in ["journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"] {
            _ = try query("PRAGMA \(pragma)")
        }
    }

    deinit { sqlite3_close_v2(handle) }

    /// Runs `body` in one transaction that excludes other writers from its start. If `body` throws,
    /// the transaction is rolled back.
    func transaction<R>(
        _ body: (borrowing Database) throws -> R
    ) throws -> R {
        try lock.withLock { _ in
            _ = try query("BEGIN IMMEDIATE")
            do {
                let result = try body(self)
                _ = try query("COMMIT")
                return result
            } catch {
                _ = try? query("ROLLBACK")
                throw error
            }
        }
    }

    /// Runs `body` with exclusive use of this connection. `body` must only read.
    func read<R>(_ body: (borrowing Database) throws -> R) throws -> R {
        try lock.withLock { _ in try body(self) }
    }

    /// Runs one statement and returns its rows. Call it within `transaction` or `read`.
    func query(_ sql: String, _ values: [Value] = []) throws(Failure) -> [[Value]] {
        var prepared: OpaquePointer?
        try check(sqlite3_prepare_v2(handle, sql, -1, &prepared, nil))
        defer { sqlite3_finalize(prepared) }
        for (index, value) in values.enumerated() {
            try check(bind(value, to: prepared, at: Int32(index + 1)))
        }
        var rows: [[Value]] = []
        while true {
            let code = sqlite3_step(prepared)
            if code == SQLITE_DONE { return rows }
            guard code == SQLITE_ROW else { throw failure(code) }
            rows.append((0..<sqlite3_column_count(prepared)).map { column(prepared, $0) })
        }
    }

    private func check(_ code: Int32) throws(Failure) {
        if code != SQLITE_OK { throw failure(code) }
    }

    private func failure(_ code: Int32) -> Failure {
        Failure(code: code, message: String(cString: sqlite3_errmsg(handle)))
    }

    private func bind(_ value: Value, to statement: OpaquePointer?, at index: Int32) -> Int32 {
        switch value {
        case .integer(let number): return sqlite3_bind_int64(statement, index, number)
        // The length is explicit because text may contain NUL.
        case .text(let text):
            let count = Int32(clamping: text.utf8.count)
            return sqlite3_bind_text(statement, index, text, count, Self.transient)
        // `sqlite3_bind_blob` with a null pointer, as for an empty array, would bind NULL.
        case .blob(let bytes) where bytes.isEmpty:
            return sqlite3_bind_zeroblob(statement, index, 0)
        case .blob(let bytes):
            let count = Int32(clamping: bytes.count)
            return sqlite3_bind_blob(statement, index, bytes, count, Self.transient)
        case .null: return sqlite3_bind_null(statement, index)
        }
    }

    private func column(_ statement: OpaquePointer?, _ index: Int32) -> Value {
        switch sqlite3_column_type(statement, index) {
        case SQLITE_INTEGER: return .integer(sqlite3_column_int64(statement, index))
        case SQLITE_TEXT: return .text(String(decoding: bytes(statement, index), as: UTF8.self))
        case SQLITE_BLOB: return .blob(Array(bytes(statement, index)))
        default: return .null
        }
    }

    /// The bytes of a text or a blob. They are valid until the next step.
    private func bytes(_ statement: OpaquePointer?, _ index: Int32) -> UnsafeRawBufferPointer {
        let start = sqlite3_column_blob(statement, index)
        return UnsafeRawBufferPointer(
            start: start,
            count: Int(sqlite3_column_bytes(statement, index))
        )
    }
}

extension Database.Value {
    var integer: Int64? { if case .integer(let value) = self { value } else { nil } }
    var text: String? { if case .text(let value) = self { value } else { nil } }
    var blob: [UInt8]? { if case .blob(let value) = self { value } else { nil } }
}
