import BackendKit
import BookingStorage
import CommandLineKit
import Glibc
import SQLiteStorage

/// The option `--database`, which all commands share that use a database.
enum DatabaseOption {
    static let group = OptionGroup(
        "Database",
        [
            Option(
                "database",
                .file,
                "the file of the database (default: $XDG_DATA_HOME/novablend/backend.sqlite)"
            )
        ]
    )

    /// Opens the database, and creates it if it does not exist.
    static func store(_ invocation: Invocation) throws(CommandError) -> any BookingStore {
        try open(checkIsFile(try newPath(invocation), invocation))
    }

    /// Opens the database. Throws if it does not exist.
    static func existingStore(_ invocation: Invocation) throws(CommandError) -> any BookingStore {
        try open(try existingPath(invocation))
    }

    /// Opens the database for a dry run, which changes nothing. An empty database in memory stands
    /// for one that does not exist.
    static func dryRunStore(_ invocation: Invocation) throws(CommandError) -> any BookingStore {
        let path = try checkIsFile(path(invocation), invocation)
        guard access(path, F_OK) == 0 else { return try open(":memory:") }
        let pending = try using(path) { () throws(StorageFailure) in
            try SQLiteBookingStore.pendingMigrations(of: path)
        }
        guard pending.isEmpty else {
            throw CommandError(
                .failure,
                "the tables of the database \(path) are not up to date",
                suggestions: ["\(invocation.program.name) migrate --dry-run"]
            )
        }
        return try open(path)
    }

    /// The path of the database, which exists.
    static func existingPath(_ invocation: Invocation) throws(CommandError) -> String {
        let path = try checkIsFile(path(invocation), invocation)
        guard access(path, F_OK) == 0 else {
            throw CommandError(.notFound, "the database \(path) does not exist")
        }
        return path
    }

    /// Runs `body`. If it throws, the database at `path` cannot be used.
    static func using<R>(
        _ path: String,
        _ body: () throws(StorageFailure) -> R
    ) throws(CommandError) -> R {
        do {
            return try body()
        } catch {
            throw CommandError(error, "the database \(path) cannot be used")
        }
    }

    private static func open(_ path: String) throws(CommandError) -> any BookingStore {
        // The first version of the tables had no salons: the server always had the samples.
        var status = stat()
        let isNew = stat(path, &status) != 0 || status.st_size == 0
        return try using(path) { () throws(StorageFailure) in
            try SQLiteBookingStore(
                path: path,
                clock: SystemClock(),
                newSalons: isNew ? [] : SampleSalons.all
            )
        }
    }

    /// Returns the path of a file unchanged. A database in memory has nothing to read, and keeps no
    /// changes.
    private static func checkIsFile(
        _ path: String,
        _ invocation: Invocation
    ) throws(CommandError) -> String {
        guard path != ":memory:" else {
            throw CommandError.usage("--database must be a file", of: invocation)
        }
        return path
    }

    /// The path of a database that is created if it does not exist. Creates the directory of the
    /// default database, with access for this user only.
    static func newPath(_ invocation: Invocation) throws(CommandError) -> String {
        let path = try path(invocation)
        guard !invocation.has("database") else { return path }
        var directory = ""
        for part in path.split(separator: "/").dropLast() {
            directory += "/" + part
            mkdir(directory, 0o700)
        }
        return path
    }

    private static func path(_ invocation: Invocation) throws(CommandError) -> String {
        if let path = invocation.option("database") { return path }
        guard let directory = BaseDirectory.data.path(for: "novablend") else {
            throw CommandError(
                .configuration,
                "neither HOME nor XDG_DATA_HOME is set; choose a file with --database"
            )
        }
        return directory + "/backend.sqlite"
    }
}
