import BackendKit
import BookingStorage
import CommandLineKit
import Glibc
import PostgreSQLStorage
import SystemSupport

/// The option `--database`, which all commands share that use a database.
enum DatabaseOption {
    static let option = Option(
        "database",
        .database,
        "the file of the database (default: $XDG_DATA_HOME/novablend/backend.sqlite), or "
            + "the URL of a PostgreSQL database (postgresql://HOST/NAME)"
    )

    static let group = OptionGroup(
        "Database and configuration file",
        [option, ConfigurationOption.option]
    )

    /// Opens the database, runs `body`, and closes the database.
    ///
    /// - Parameters:
    ///   - creates: Whether to create a missing file. If false, a missing file is an error.
    ///   - isDryRun: Whether nothing may be changed.
    static func withStore<Output>(
        _ invocation: Invocation,
        creates: Bool = false,
        isDryRun: Bool = false,
        _ body: (any BookingStore) async throws -> Output
    ) async throws(CommandError) -> Output {
        if !creates { _ = try existingLocation(invocation) }
        let store = try isDryRun ? dryRunStore(invocation) : open(newLocation(invocation))
        defer { store.close() }
        do {
            return try await body(store)
        } catch let error as Problem {
            throw CommandError(error)
        } catch let error as CommandError {
            throw error
        } catch {
            throw CommandError(.failure, "\(error)")
        }
    }

    /// Opens the database for a dry run, which changes nothing. If the file does not exist, or the
    /// database of PostgreSQL has no tables, opens an empty database in memory instead.
    private static func dryRunStore(
        _ invocation: Invocation
    ) throws(CommandError) -> any BookingStore {
        let location = try location(invocation)
        guard exists(location) else { return try open(.file(":memory:")) }
        let pending = try using(location, location.pendingMigrations)
        if case .server = location, pending.first?.number == 1 {
            return try open(.file(":memory:"))
        }
        guard pending.isEmpty else {
            throw CommandError(
                .failure,
                "the tables of the database \(location) are not up to date",
                suggestions: ["\(invocation.program.name) migrate --dry-run"]
            )
        }
        return try open(location)
    }

    /// The database, which exists if it is a file.
    static func existingLocation(
        _ invocation: Invocation
    ) throws(CommandError) -> DatabaseLocation {
        let location = try location(invocation)
        guard exists(location) else {
            throw CommandError(.notFound, "the database \(location) does not exist")
        }
        return location
    }

    /// A database that is created if it is a file that does not exist. Creates the directory of the
    /// default database, with access for this user only.
    ///
    /// - Parameter allowsMemory: Whether it can be a database in memory, which has nothing to read
    ///   at first, and keeps no changes.
    static func newLocation(
        _ invocation: Invocation,
        allowsMemory: Bool = false
    ) throws(CommandError) -> DatabaseLocation {
        let location = try location(invocation, allowsMemory: allowsMemory)
        guard !invocation.has(option), case .file(let path) = location else { return location }
        var directory = ""
        for part in path.split(separator: "/").dropLast() {
            directory += "/" + part
            mkdir(directory.systemBytes, 0o700)
        }
        return location
    }

    /// Runs `body`. If it throws, throws the error of a command whose database cannot be used.
    static func using<R>(
        _ location: DatabaseLocation,
        _ body: () throws(StorageFailure) -> R
    ) throws(CommandError) -> R {
        do {
            return try body()
        } catch {
            throw unusable(location, error)
        }
    }

    private static func unusable(
        _ location: DatabaseLocation,
        _ failure: StorageFailure
    ) -> CommandError {
        CommandError(failure, "the database \(location) cannot be used")
    }

    private static func open(
        _ location: DatabaseLocation
    ) throws(CommandError) -> any BookingStore {
        do {
            // Only a server adds the sample salons to a database without tables.
            return try location.open(newSalons: [], clock: SystemClock(), limitsCalls: false)
        } catch {
            throw unusable(location, error)
        }
    }

    private static func exists(_ location: DatabaseLocation) -> Bool {
        if case .file(let path) = location { access(path.systemBytes, F_OK) == 0 } else { true }
    }

    /// The database, whether or not it exists. No stream of this process may lead to one of its files.
    static func location(
        _ invocation: Invocation,
        allowsMemory: Bool = false
    ) throws(CommandError) -> DatabaseLocation {
        let location = try chosenLocation(invocation, allowsMemory: allowsMemory)
        try OutputFile.checkStandardStreams(location)
        return location
    }

    private static func chosenLocation(
        _ invocation: Invocation,
        allowsMemory: Bool
    ) throws(CommandError) -> DatabaseLocation {
        guard let location = invocation[option] else {
            guard let directory = BaseDirectory.data.path(for: "novablend") else {
                throw CommandError(
                    .configuration,
                    "neither HOME nor XDG_DATA_HOME is set; choose a file with --database"
                )
            }
            return .file(directory + "/backend.sqlite")
        }
        if case .file(":memory:") = location, !allowsMemory {
            throw CommandError.usage("--database must be a file or a URL", of: invocation)
        }
        return location
    }
}

extension ValueKind<DatabaseLocation> {
    /// A path, or the URL of a server.
    fileprivate static let database = ValueKind("FILE", completion: .files) {
        text throws(InvalidValue) in
        guard !text.isEmpty else { throw InvalidValue("must not be empty") }
        let location = DatabaseLocation(text)
        let problem: String? =
            switch location {
            case .server(let url): PostgreSQLBookingStore.problem(ofURL: url)
            // Messages about a file contain its path, and this text may contain a password.
            case .file where text.contains(/^[A-Za-z][A-Za-z0-9+.-]*:\/\/|password=/):
                "it must be a file, or a URL that begins with postgresql://"
            case .file: nil
            }
        if let problem { throw InvalidValue("is invalid: \(problem)") }
        return location
    }
}
