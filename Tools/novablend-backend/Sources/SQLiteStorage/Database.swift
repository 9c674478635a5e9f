import BookingStorage
import Glibc
import NovaBlendSystemSQLite
import SystemSupport

/// A connection to SQLite. It may move between threads, but only one at a time may use it.
final class Database {
    enum Access {
        /// Reads and writes; creates the file if it does not exist.
        case create
        /// Reads and writes an existing file.
        case write
        /// Only reads; the file must exist.
        case read
    }

    let handle: OpaquePointer
    /// How long a statement waits for locks of other connections.
    var lockTimeout = Duration.seconds(5)
    private var lockDeadline = ContinuousClock.now
    private var isOpen = true
    private var statements: [ObjectIdentifier: Statement] = [:]

    /// Opens the database at a path, or a URI that starts with `file:`.
    init(path: String, access: Access) throws(StorageFailure) {
        let mode =
            switch access {
            case .create: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
            case .write: SQLITE_OPEN_READWRITE
            case .read: SQLITE_OPEN_READONLY
            }
        let uri = path.hasPrefix("file:") ? SQLITE_OPEN_URI : 0
        let flags = mode | uri | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        var opened: OpaquePointer?
        let code = sqlite3_open_v2(path.systemBytes, &opened, flags, nil)
        guard code == SQLITE_OK, let opened else {
            sqlite3_close_v2(opened)
            throw StorageFailure(sqliteCode: code, String(cString: sqlite3_errstr(code)))
        }
        handle = opened
        let this = Unmanaged.passUnretained(self).toOpaque()
        sqlite3_busy_handler(
            handle,
            { this, attempts in
                guard let this else { return 0 }
                let database = Unmanaged<Database>.fromOpaque(this).takeUnretainedValue()
                return database.waitForLock(attempts: attempts) ? 1 : 0
            },
            this
        )
        // Overwrites what is deleted with zeros.
        if access != .read { try execute("PRAGMA secure_delete=ON") }
    }

    deinit { close() }

    /// Closes the connection. It must not be used afterwards.
    func close() {
        guard isOpen else { return }
        isOpen = false
        statements.removeAll()
        sqlite3_close_v2(handle)
    }

    /// Waits for a moment before the next attempt to take a lock. Returns false if the time is up.
    ///
    /// SQLite's own handler tries again only every 100 ms. A different process that commits without
    /// pause then takes the lock again first, many times in a row.
    private func waitForLock(attempts: Int32) -> Bool {
        if attempts == 0 { lockDeadline = .now + lockTimeout }
        guard ContinuousClock.now < lockDeadline else { return false }
        usleep(1_000)
        return true
    }

    /// Whether no transaction is open. Some errors make SQLite roll back the whole transaction.
    var isAutocommit: Bool { sqlite3_get_autocommit(handle) != 0 }

    /// Writes the database file, without its log, to the disk. Another way to sync it would need
    /// a descriptor whose closing releases the locks of SQLite's own.
    func syncFile() {
        var file: UnsafeMutablePointer<sqlite3_file>?
        sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, &file)
        // If this sync fails, SQLite's own sync fails, too.
        _ = file?.pointee.pMethods?.pointee.xSync?(file, SQLITE_SYNC_NORMAL)
    }

    // MARK: Statements that are prepared once

    /// Runs statements one after the other and reads their results.
    @discardableResult
    func run<each Output>(
        _ query: repeat Query<each Output>
    ) throws(StorageFailure) -> (repeat each Output) {
        (repeat try output(of: each query))
    }

    private func output<Output>(of query: Query<Output>) throws(StorageFailure) -> Output {
        try query.read(Execution(query.statements, on: self))
    }

    /// Runs a statement and returns the number of rows that it has inserted, updated, or deleted.
    @discardableResult
    func run(_ sql: SQL, _ parameters: any SQLParameter...) throws(StorageFailure) -> Int {
        try run(Query<Int>(sql, values: parameters))
    }

    /// Runs each statement when its result is read.
    private final class Execution: StatementResults {
        private let database: Database
        private var rest: ArraySlice<(sql: SQL, values: [any SQLParameter])>

        init(_ statements: [(sql: SQL, values: [any SQLParameter])], on database: Database) {
            rest = statements[...]
            self.database = database
        }

        func nextRows(
            _ body: (any ColumnReader) throws(StorageFailure) -> Bool
        ) throws(StorageFailure) {
            guard let (sql, values) = rest.popFirst() else { return }
            let statement = try database.prepared(sql)
            defer { statement.reset() }
            statement.bind(values)
            while try database.hasRow(statement) {
                guard try body(statement) else { return }
            }
        }

        func nextCount() throws(StorageFailure) -> Int {
            try nextRows { _ in true }
            return Int(sqlite3_changes64(database.handle))
        }
    }

    /// The number of rows that this connection has inserted, updated, or deleted since it was opened.
    var totalChanges: Int { Int(sqlite3_total_changes64(handle)) }

    /// The row id of the last row that was inserted into a table with row ids.
    var lastRowID: Int64 { sqlite3_last_insert_rowid(handle) }

    private func hasRow(_ statement: Statement) throws(StorageFailure) -> Bool {
        let code = statement.step()
        if code == SQLITE_ROW { return true }
        if code != SQLITE_DONE { throw error(code) }
        return false
    }

    private func prepared(_ sql: SQL) throws(StorageFailure) -> Statement {
        let key = ObjectIdentifier(sql)
        if let statement = statements[key] { return statement }
        // In SQLite, `$1` would be a name, and `?1` is a number.
        let text = sql.text.replacing("$", with: "?")
        let statement = try prepare(text, UInt32(SQLITE_PREPARE_PERSISTENT))
        statements[key] = statement
        return statement
    }

    // MARK: Statements that run once

    /// Runs one statement, such as a PRAGMA or the definition of a table. Returns the first column
    /// of its first row, as a number.
    @discardableResult
    func execute(_ text: String) throws(StorageFailure) -> Int64? {
        let statement = try prepare(text, 0)
        return try hasRow(statement) ? statement.integer(0) : nil
    }

    /// The rows of a query that is not worth preparing.
    func query<R>(_ text: String, _ read: (Statement) -> R) throws(StorageFailure) -> [R] {
        let statement = try prepare(text, 0)
        var rows: [R] = []
        while try hasRow(statement) { rows.append(read(statement)) }
        return rows
    }

    private func prepare(_ text: String, _ flags: UInt32) throws(StorageFailure) -> Statement {
        var prepared: OpaquePointer?
        let code = sqlite3_prepare_v3(handle, text, -1, flags, &prepared, nil)
        guard code == SQLITE_OK, let prepared else { throw error(code) }
        return Statement(prepared)
    }

    // MARK: Transactions and errors

    private static let begin = SQL("BEGIN")
    private static let beginImmediate = SQL("BEGIN IMMEDIATE")
    private static let commit = SQL("COMMIT")
    private static let rollback = SQL("ROLLBACK")

    /// Begins a transaction that excludes other writers.
    func beginImmediate() throws(StorageFailure) { try run(Self.beginImmediate) }

    func commit() throws(StorageFailure) { try run(Self.commit) }

    /// Begins a transaction whose queries all see the same state. A rollback must end it.
    func beginReading() throws(StorageFailure) { try run(Self.begin) }

    /// Ends the transaction, if one is open, without its changes.
    func rollback() {
        // The rollback can only fail if SQLite has already rolled back.
        if !isAutocommit { _ = try? run(Self.rollback) }
    }

    /// The failure with this code that the last call on this connection reported.
    func error(_ code: Int32) -> StorageFailure {
        StorageFailure(sqliteCode: code, String(cString: sqlite3_errmsg(handle)))
    }
}

/// A prepared statement of one connection.
final class Statement {
    private static let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

    private let handle: OpaquePointer
    /// The code of the first value that could not be bound.
    private var bindingCode = SQLITE_OK

    init(_ handle: OpaquePointer) { self.handle = handle }

    deinit { sqlite3_finalize(handle) }

    // MARK: Parameters

    /// Binds the first parameters. Parameters after them stay NULL.
    func bind(_ parameters: [any SQLParameter]) {
        for (index, parameter) in parameters.enumerated() {
            let code = bind(Int32(index + 1), parameter.sqlValue)
            if bindingCode == SQLITE_OK { bindingCode = code }
        }
    }

    private func bind(_ index: Int32, _ value: SQLValue) -> Int32 {
        switch value {
        case .null: sqlite3_bind_null(handle, index)
        case .boolean(let value): sqlite3_bind_int64(handle, index, value ? 1 : 0)
        case .integer(let value): sqlite3_bind_int64(handle, index, value)
        case .text(var value): value.withUTF8 { bind(index, $0) }
        }
    }

    private func bind(_ index: Int32, _ text: UnsafeBufferPointer<UInt8>) -> Int32 {
        // The length is explicit because text may contain NUL.
        let start = UnsafeRawPointer(text.baseAddress)?.assumingMemoryBound(to: CChar.self)
        let count = Int32(clamping: text.count)
        return start == nil
            ? sqlite3_bind_text(handle, index, "", 0, Self.transient)
            : sqlite3_bind_text(handle, index, start, count, Self.transient)
    }

    // MARK: Rows

    /// Moves to the next row. Returns its result code: SQLITE_ROW, SQLITE_DONE, or an error.
    func step() -> Int32 {
        bindingCode == SQLITE_OK ? sqlite3_step(handle) : bindingCode
    }

    /// Ends the statement, so that it can run again. Its values are released.
    func reset() {
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
        bindingCode = SQLITE_OK
    }
}

extension Statement: ColumnReader {
    func isNull(_ column: Int32) -> Bool {
        sqlite3_column_type(handle, column) == SQLITE_NULL
    }

    func bool(_ column: Int32) -> Bool { integer(column) != 0 }

    func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

    func text(_ column: Int32) -> String {
        withBytes(column) { String(decoding: $0, as: UTF8.self) }
    }

    /// Calls `body` with the bytes of a text or a blob.
    func withBytes<R>(_ column: Int32, _ body: (UnsafeBufferPointer<UInt8>) -> R) -> R {
        // The pointer first: asking for it can convert the value and so change the count.
        let start = sqlite3_column_blob(handle, column)
        let count = Int(sqlite3_column_bytes(handle, column))
        let bytes = UnsafeRawBufferPointer(start: start, count: count)
        return body(bytes.assumingMemoryBound(to: UInt8.self))
    }
}

extension StorageFailure {
    /// The failure that a result code of SQLite stands for (sqlite.org/rescode.html).
    init(sqliteCode code: Int32, _ message: String) {
        // The lower byte of an extended code is the primary one.
        switch code & 0xFF {
        case SQLITE_BUSY, SQLITE_LOCKED:
            self.init(.locked, "a different program has locked the database; try again later")
        case SQLITE_FULL: self.init(.full, message)
        case SQLITE_READONLY, SQLITE_PERM: self.init(.readOnly, message)
        case SQLITE_CORRUPT, SQLITE_NOTADB: self.init(.corrupted, message)
        default: self.init(.other, message)
        }
    }
}
