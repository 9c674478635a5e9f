import SystemTestSupport

/// A path for a database in a temporary directory, which is deleted when this value is destroyed.
public struct TemporaryDatabase: ~Copyable {
    private let files: TemporaryDirectory

    /// The directory. Only this user can access it.
    public var directory: String { files.path }

    /// The path of the database. No file exists there yet.
    public var path: String { files.file("db.sqlite") }

    /// Creates the directory.
    public init() throws { files = try TemporaryDirectory() }

    deinit { withExtendedLifetime(files) {} }
}
