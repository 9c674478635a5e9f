public import BookingStorage
public import Domain
public import PostgreSQLStorage
import SQLiteStorage

/// Where salons and bookings are stored.
public enum DatabaseLocation: Sendable, CustomStringConvertible {
    /// A file of SQLite, or `:memory:` for a database without a file.
    case file(String)
    /// A PostgreSQL database with this URL.
    case server(String)

    /// Creates a location from the path of a file, or from a URL that begins with `postgresql://` or
    /// `postgres://`.
    public init(_ text: String) {
        self = PostgreSQLBookingStore.isURL(text) ? .server(text) : .file(text)
    }

    /// The path or the URL.
    public var text: String {
        switch self {
        case .file(let text), .server(let text): text
        }
    }

    /// The path of the file; nil for a server, and for a database without a file.
    public var filePath: String? {
        if case .file(let path) = self, path != ":memory:" { path } else { nil }
    }

    /// The path, or the URL without user and parameters.
    public var description: String {
        guard case .server(let url) = self else { return text }
        let parts = url.prefix { $0 != "?" }.split(separator: "//", maxSplits: 1)
        let address = parts.last?.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
        return "\(parts.first ?? "")//\(address)"
    }

    /// Opens the database and applies the migrations that it needs. A new database receives
    /// `newSalons`.
    ///
    /// - Parameters:
    ///   - clock: The clock of a database in a file. A server uses its own.
    ///   - connections: The maximum number of connections to a server.
    ///   - limitsCalls: Whether calls of a server end in time in any case, as requests must.
    public func open(
        newSalons: [Salon],
        clock: any WallClock,
        connections: Int = PostgreSQLBookingStore.defaultConnections,
        limitsCalls: Bool = true
    ) throws(StorageFailure) -> any BookingStore {
        switch self {
        case .file(let path):
            try SQLiteBookingStore(path: path, clock: clock, newSalons: newSalons)
        case .server(let url):
            try PostgreSQLBookingStore(
                url: url,
                connections: connections,
                newSalons: newSalons,
                limitsCalls: limitsCalls
            )
        }
    }

    /// Whether a token was ever created in the database, which must be up to date.
    public func hasTokens() throws(StorageFailure) -> Bool {
        switch self {
        case .file(":memory:"): false
        case .file(let path): try SQLiteBookingStore.hasTokens(path)
        case .server(let url): try PostgreSQLBookingStore.hasTokens(url)
        }
    }

    /// The migrations that the database needs. It is not changed.
    public func pendingMigrations() throws(StorageFailure) -> [Migration] {
        switch self {
        case .file(let path): try SQLiteBookingStore.pendingMigrations(of: path)
        case .server(let url): try PostgreSQLBookingStore.pendingMigrations(of: url)
        }
    }

    /// Applies the migrations that the database needs, and returns them.
    public func migrate() throws(StorageFailure) -> [Migration] {
        switch self {
        case .file(let path): try SQLiteBookingStore.migrate(path)
        case .server(let url): try PostgreSQLBookingStore.migrate(url)
        }
    }
}
