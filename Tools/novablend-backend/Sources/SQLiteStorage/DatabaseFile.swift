import BookingStorage
import Glibc
import Synchronization
public import SystemSupport

/// The file of a database. It holds phone numbers and email addresses, so only its owner may read
/// it.
final class DatabaseFile: Sendable {
    /// The path, or the URI of a database in memory.
    let path: String
    /// When a check last found the file in place, in milliseconds of the monotonic clock.
    private let lastLook = Atomic(0)
    private let identities: [(path: String, identity: FileIdentity)]

    /// A database in memory, which all connections of this process that use this value share.
    static func inMemory() -> DatabaseFile {
        let name = String(UInt64.random(in: .min ... .max), radix: 16)
        return DatabaseFile(path: "file:/novablend-\(name)?vfs=memdb", identities: [])
    }

    /// Describes the file at an absolute path. It must be open, so that its write-ahead log exists.
    convenience init(open path: String) throws(StorageFailure) {
        var identities: [(String, FileIdentity)] = []
        for path in [path, path + "-wal"] {
            guard let identity = FileIdentity(path) else { throw Self.error("\(path) was deleted") }
            identities.append((path, identity))
        }
        self.init(path: path, identities: identities)
    }

    private init(path: String, identities: [(path: String, identity: FileIdentity)]) {
        self.path = path
        self.identities = identities
    }

    /// The size of the write-ahead log, in bytes.
    var logBytes: Int {
        var status = stat()
        let code = identities.last.map { stat($0.path.systemBytes, &status) }
        return code == 0 ? Int(status.st_size) : 0
    }

    var isInMemory: Bool { identities.isEmpty }

    /// Whether the paths of the database and of its write-ahead log still lead to the files that
    /// were opened. If not, everything that is written is lost when the files are closed.
    var isInPlace: Bool {
        identities.allSatisfy { FileIdentity($0.path) == $0.identity }
    }

    /// Like ``isInPlace``, but a positive result is reused for 0.1 s, because the check takes
    /// longer than reading a row.
    var wasInPlace: Bool {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
        let now = time.tv_sec * 1_000 + time.tv_nsec / 1_000_000
        if now - lastLook.load(ordering: .relaxed) < 100 { return true }
        guard isInPlace else { return false }
        lastLook.store(now, ordering: .relaxed)
        return true
    }

    /// The failure to report if the file is not in place.
    var replaced: StorageFailure {
        StorageFailure(
            .fileReplaced,
            "the file \(path) was deleted, moved, or replaced while it was open; "
                + "stop the backend, restore the file, and start the backend again"
        )
    }

    /// Throws if the file is not in place.
    func requireInPlace() throws(StorageFailure) { if !isInPlace { throw replaced } }

    /// Renames the write-ahead log if a different file has taken the place of the database. SQLite
    /// would apply the log to that file. If the database is only missing, its log is still needed
    /// when it is back.
    func quarantineLog() {
        guard let database = identities.first, let log = identities.last,
            let current = FileIdentity(database.path), current != database.identity,
            FileIdentity(log.path) == log.identity
        else { return }
        // SQLite can restore this index from the log.
        unlink((path + "-shm").systemBytes)
        rename(log.path.systemBytes, "\(log.path).\(database.identity.inode)".systemBytes)
    }

    /// Creates the file with access for this user only. SQLite creates the `-wal` and `-shm` files
    /// with the same mode. If the file exists, removes the permissions of other users from all
    /// three.
    ///
    /// This does not open an existing file: closing it would release the locks that another
    /// connection of this process holds on it (fcntl(2), "Advisory record locking").
    static func restrict(_ path: String) throws(StorageFailure) {
        let file = open(path.systemBytes, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if file >= 0 {
            close(file)
            return
        }
        // SQLite reports every other error when it opens the file.
        guard errno == EEXIST else { return }
        guard access(path.systemBytes, F_OK) == 0 else {
            throw error("it is a symbolic link to a file that does not exist")
        }
        try requireOneName(path)
        for suffix in ["", "-wal", "-shm"] { try tighten(path + suffix) }
    }

    /// Throws if a file has several names. SQLite would keep a log for each, and apply one of them to a
    /// file that was changed through another.
    static func requireOneName(_ path: String) throws(StorageFailure) {
        var status = stat()
        guard stat(path.systemBytes, &status) == 0, status.st_nlink > 1 else { return }
        throw error(
            "its file has \(status.st_nlink) names (hard links), and each would have a log of its own; "
                + "delete all names but the one that the server uses"
        )
    }

    /// The absolute path of an existing file, without symbolic links. So a later change of the
    /// working directory makes no difference.
    static func absolutePath(_ path: String) -> String {
        guard let resolved = realpath(path.systemBytes, nil) else { return path }
        defer { free(resolved) }
        return String(systemBytes: resolved)
    }

    private static func tighten(_ path: String) throws(StorageFailure) {
        var status = stat()
        guard stat(path.systemBytes, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            status.st_mode & 0o077 != 0
        else { return }
        guard chmod(path.systemBytes, status.st_mode & 0o700) == 0 else {
            let reason = String(cString: strerror(errno))
            throw error("other users can access \(path), and its mode cannot be changed: \(reason)")
        }
    }

    private static func error(_ message: String) -> StorageFailure {
        StorageFailure(.other, message)
    }
}

// MARK: - Outputs

extension SQLiteBookingStore {
    /// What SQLite and ``DatabaseFile/quarantineLog()`` append to the path of a database.
    private static let suffixes = ["-wal", "-shm", "-journal"]

    /// The files of the database at `path`, whether or not they exist now.
    public static func files(of path: String) -> ProtectedFiles {
        let paths = [path, DatabaseFile.absolutePath(path)]
        return ProtectedFiles(files: paths + paths.flatMap { path in suffixes.map { path + $0 } })
    }

    /// Why nothing may be written to `path`: it is a file of `database`, or of a different database that
    /// is in use. Nil if it may be written.
    ///
    /// All outputs of the program must ask this before they create, replace, or extend a file: SQLite
    /// loses confirmed changes if a file of a database, or only its name, goes to something else.
    ///
    /// - Parameters:
    ///   - path: The path of the output.
    ///   - database: The path of the database that the program uses; nil if it uses a server.
    public static func objection(toOutput path: String, besides database: String?) -> String? {
        let databases = [path, DatabaseFile.absolutePath(path)].compactMap(database(ofLog:))
        if let database {
            let own = files(of: database)
            // The database may have further names, each with a log of its own.
            if ([path] + databases).contains(where: { own.conflict(with: $0) != nil }) {
                return "\(path) is a file of the database \(database)"
            }
        }
        let isInUse = ["-wal", "-journal"].contains { FileIdentity(path + $0) != nil }
        if isInUse { return "\(path) is a database that is in use" }
        return databases.first { FileIdentity($0) != nil }.map { "\(path) is a file of \($0)" }
    }

    /// The path of the database to which a file belongs by its name; nil if it has no such name.
    private static func database(ofLog path: String) -> String? {
        // A quarantined log ends with a dot and the number of its database.
        let digits = path.reversed().prefix { $0.isASCII && $0.isNumber }
        let isNumbered = !digits.isEmpty && path.dropLast(digits.count).hasSuffix(".")
        let name = isNumbered ? String(path.dropLast(digits.count + 1)) : path
        guard let suffix = suffixes.first(where: name.hasSuffix) else { return nil }
        let database = String(name.dropLast(suffix.count))
        return database.isEmpty || database.hasSuffix("/") ? nil : database
    }
}
