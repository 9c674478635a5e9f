public import BookingStorage
public import Domain
import Glibc
import NovaBlendSystemSQLite
import SystemSupport

extension SQLiteBookingStore {
    /// Copies the database at `path`, as it is at one moment, to a new file. Other programs can use
    /// the database meanwhile.
    ///
    /// The copy is complete when its file appears: it is written under a temporary name, checked,
    /// and synced first. It replaces an earlier copy of the same name. Only this user can access
    /// it. The database then records the time, for ``status()``.
    ///
    /// - Returns: The number of rows in all tables, which are as many in the copy, and why the database
    ///   could not record the time; nil if it did.
    @discardableResult
    public static func backUp(
        _ path: String,
        to destination: String
    ) throws(StorageFailure) -> (rowCount: Int, unrecorded: StorageFailure?) {
        try checkUnused(destination, by: path)
        try DatabaseFile.requireOneName(path)
        let source = try Database(path: path, access: .write)
        defer { source.close() }
        let temporary = try makeTemporaryFile(next: destination)
        let rowCount: Int
        do {
            rowCount = try copy(source, to: temporary)
            try check(temporary)
            // A server may have started to use it meanwhile.
            try checkUnused(destination, by: path)
            try publish(temporary, as: destination)
        } catch {
            for suffix in ["", "-wal", "-shm", "-journal"] {
                unlink((temporary + suffix).systemBytes)
            }
            throw error
        }
        return (rowCount, recordTime(in: source))
    }

    private static func recordTime(in source: Database) -> StorageFailure? {
        do {
            // A database of an earlier version has no such table until a server migrates it.
            guard try source.hasTable("maintenance") else { return nil }
            let now = "CAST(strftime('%s', 'now') AS INTEGER)"
            try source.execute("UPDATE maintenance SET last_backup = \(now)")
            return nil
        } catch {
            return error
        }
    }

    /// Adds an entry about a backup to the audit log of the database at `path`, which is not migrated.
    ///
    /// - Parameter now: The time of the entry.
    public static func recordBackup(of path: String, at now: Timestamp) throws(StorageFailure) {
        try DatabaseFile.requireOneName(path)
        let database = try Database(path: path, access: .write)
        defer { database.close() }
        guard try Schema(database: database).pendingMigrations().isEmpty else {
            throw StorageFailure(.other, "its tables are not up to date")
        }
        let entry = AuditedChange(.backup, .database).entry(at: now)
        try database.run(Query<Int>(AuditEntry.insert, values: entry.values))
    }

    private static func checkUnused(
        _ destination: String,
        by source: String
    ) throws(StorageFailure) {
        guard let reason = objection(toOutput: destination, besides: source) else { return }
        throw StorageFailure(.other, "\(reason); choose a different file")
    }

    private static func makeTemporaryFile(
        next destination: String
    ) throws(StorageFailure) -> String {
        var template = "\(destination).XXXXXX".systemBytes
        // mkstemp(3) creates the file with mode 0600.
        let file = mkstemp(&template)
        guard file >= 0 else { throw failure("\(destination) cannot be written") }
        Glibc.close(file)
        return String(systemBytes: template)
    }

    /// Returns the number of rows.
    private static func copy(
        _ source: Database,
        to path: String
    ) throws(StorageFailure) -> Int {
        let copy = try Database(path: path, access: .write)
        defer { copy.close() }
        // The file is synced once, when it is complete.
        try copy.execute("PRAGMA synchronous=OFF")
        // One read transaction, which does not block writers.
        try source.beginReading()
        defer { source.rollback() }
        let count = try source.rowCount()
        guard let backup = sqlite3_backup_init(copy.handle, "main", source.handle, "main")
        else {
            throw copy.error(sqlite3_errcode(copy.handle))
        }
        let code = sqlite3_backup_step(backup, -1)
        sqlite3_backup_finish(backup)
        guard code == SQLITE_DONE else { throw copy.error(code) }
        guard try copy.rowCount() == count else {
            throw StorageFailure(.corrupted, "the copy does not have all rows of the database")
        }
        return count
    }

    private static func check(_ path: String) throws(StorageFailure) {
        let copy = try Database(path: path, access: .write)
        defer { copy.close() }
        let problems = try copy.query("PRAGMA integrity_check(1)") { $0.text(0) }
        guard problems == ["ok"] else {
            let problem = problems.first ?? "the check returned nothing"
            throw StorageFailure(.corrupted, "the database is damaged: \(problem)")
        }
    }

    private static func publish(
        _ temporary: String,
        as destination: String
    ) throws(StorageFailure) {
        let slash = destination.lastIndex(of: "/")
        let directory = slash.map { destination[...$0] } ?? "."
        guard sync(temporary), rename(temporary.systemBytes, destination.systemBytes) == 0,
            sync(String(directory))
        else {
            throw failure("\(destination) cannot be written")
        }
    }

    private static func sync(_ path: String) -> Bool {
        let file = Glibc.open(path.systemBytes, O_RDONLY | O_CLOEXEC)
        defer { Glibc.close(file) }
        return file >= 0 && fsync(file) == 0
    }

    /// A failure that `errno` explains.
    private static func failure(_ message: String) -> StorageFailure {
        let code = errno
        let reason = String(cString: strerror(code))
        return StorageFailure(code == ENOSPC ? .full : .other, "\(message): \(reason)")
    }
}

extension Database {
    fileprivate func hasTable(_ name: String) throws(StorageFailure) -> Bool {
        try execute("SELECT 1 FROM sqlite_schema WHERE name = '\(name)'") != nil
    }

    /// The number of rows in all tables.
    fileprivate func rowCount() throws(StorageFailure) -> Int {
        let tables = try query("SELECT name FROM sqlite_schema WHERE type = 'table'") { $0.text(0) }
        var count = 0
        for table in tables {
            count += Int(try execute("SELECT count(*) FROM \"\(table)\"") ?? 0)
        }
        return count
    }
}
