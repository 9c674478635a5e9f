import Glibc
import Synchronization

/// A private directory in which files are replaced durably.
///
/// Readers take no lock. A writer holds `flock` on the file `.lock`, which is never deleted,
/// because a lock on a deleted file excludes no one. It is empty except during a quarantine. All
/// names are resolved relative to the directory's descriptor, and no link is followed.
struct StoreDirectory: ~Copyable, Sendable {
    let path: String
    /// The number of parent directories that must be as safe as the directory.
    let checkedDepth: Int
    /// The inode of the directory whose entry in its parent is known to be durable; 0 before that.
    let durableInode = Atomic<UInt64>(0)

    private static let temporaryName = ".new"
    private static let lockName = ".lock"

    /// Describes the directory at `path`, or at `subdirectory` below it. With `subdirectory`, every
    /// directory from `path` down must belong to this user and be writable by no one else.
    init(path: String, subdirectory: String? = nil) {
        guard let subdirectory else {
            self.path = path
            checkedDepth = 0
            return
        }
        self.path = "\(path)/\(subdirectory)"
        checkedDepth = subdirectory.utf8.split(separator: UInt8(ascii: "/")).count
    }

    /// Runs `body` with the directory open; nil if the directory does not exist. An error names
    /// `operation` and the path of `file`, or of the directory if `file` is nil.
    func reading<R>(
        _ file: StoreFile?,
        for operation: StoreError.Operation,
        _ body: (borrowing Descriptor) throws(StoreError.Reason) -> R
    ) throws(StoreError) -> R? {
        do throws(StoreError.Reason) {
            guard file?.isValid != false else { throw .nameTooLong }
            let directory: Descriptor
            do throws(StoreError.Reason) {
                directory = try open(creating: false)
            } catch .system(_, ENOENT) {
                return nil
            }
            return try body(directory)
        } catch {
            throw StoreError(operation, path: path(of: file), error)
        }
    }

    /// Runs `body` with the directory open and locked. Creates the directory if necessary. An error
    /// names `operation` and the path of `file`, or of the directory if `file` is nil.
    func writing<R>(
        _ file: StoreFile?,
        for operation: StoreError.Operation,
        _ body: (borrowing Descriptor) throws(StoreError.Reason) -> R
    ) throws(StoreError) -> R {
        do throws(StoreError.Reason) {
            guard file?.isValid != false else { throw .nameTooLong }
            let directory = try open(creating: true)
            let lock = try openLockFile(in: directory)
            let raw = lock.raw
            try Descriptor.call("flock") { flock(raw, LOCK_EX) }
            try finishQuarantine(lock, in: directory)
            // Only the writer that holds the lock uses the temporary file, so if it exists, a dead
            // writer left it.
            try? unlink(Self.temporaryName, in: directory)
            return try body(directory)
        } catch {
            throw StoreError(operation, path: path(of: file), error)
        }
    }

    /// Runs `body` with the directory open and locked, like ``writing(_:for:_:)``, but returns nil
    /// if the directory does not exist instead of creating it.
    func writingExisting<R>(
        _ file: StoreFile?,
        for operation: StoreError.Operation,
        _ body: (borrowing Descriptor) throws(StoreError.Reason) -> R
    ) throws(StoreError) -> R? {
        guard try reading(file, for: operation, { _ in true }) != nil else { return nil }
        return try writing(file, for: operation, body)
    }

    private func path(of file: StoreFile?) -> String { file.map { "\(path)/\($0)" } ?? path }

    /// Opens the lock file `name`, and creates it if necessary. The caller must check its status
    /// with ``lockFileSize(_:)``.
    func openLockFile(
        _ name: String = lockName,
        in directory: borrowing Descriptor
    ) throws(StoreError.Reason) -> Descriptor {
        try Descriptor(openAt: directory, name, O_RDWR | O_CREAT, mode: 0o600)
    }

    /// The size of a lock file, in bytes. Throws if it is not a regular file.
    func lockFileSize(_ file: borrowing Descriptor) throws(StoreError.Reason) -> Int {
        let status = try file.status()
        guard status.isRegularFile else { throw .insecure("its lock is not a regular file") }
        return Int(status.st_size)
    }

    /// Decodes the file `name`, given its status; nil if there is no such file.
    ///
    /// Readers take no lock, so a file may look damaged while a writer appends to it. If the file
    /// has grown since it was opened, it is decoded again.
    func read<R>(
        _ name: String,
        in directory: borrowing Descriptor,
        maximum: Int,
        _ decode: (borrowing Descriptor, stat) throws(StoreError.Reason) -> R
    ) throws(StoreError.Reason) -> R? {
        let file: Descriptor
        do {
            file = try Descriptor(openAt: directory, name, O_RDONLY)
        } catch .system(_, ENOENT) {
            return nil
        }
        while true {
            let status = try file.status()
            guard status.isRegularFile else { throw .insecure("it is not a regular file") }
            guard Int(status.st_size) <= maximum else {
                throw .damaged("larger than \(maximum) bytes")
            }
            do {
                return try decode(file, status)
            } catch .damaged(let detail) {
                guard try file.status().st_size > status.st_size else { throw .damaged(detail) }
            }
        }
    }

    /// Atomically replaces `name` with a file that `write` fills. The change is durable once the
    /// directory is synchronized. `inspect` examines the existing file between `write` and `fsync`,
    /// while the disk can already write the new file.
    ///
    /// If this throws, `name` is unchanged, or in quarantine if it was damaged.
    func replace(
        _ name: StoreFile,
        over inspect: () throws(StoreError.Reason) -> ExistingFile,
        in directory: borrowing Descriptor,
        _ write: (borrowing Descriptor) throws(StoreError.Reason) -> Void
    ) throws(StoreError.Reason) {
        do {
            let existing: ExistingFile
            // This scope closes the new file before the renaming.
            do {
                let flags = O_WRONLY | O_CREAT | O_EXCL
                let file = try Descriptor(openAt: directory, Self.temporaryName, flags, mode: 0o600)
                try write(file)
                existing = try inspect()
                try file.synchronize()
            }
            switch existing {
            case .absent, .intact: break
            case .damaged: try quarantine(name.description, in: directory)
            }
            try rename(Self.temporaryName, to: name.description, in: directory)
        } catch {
            try? unlink(Self.temporaryName, in: directory)
            throw error
        }
    }

    /// Renames a file. The change is not yet durable.
    func rename(
        _ name: String,
        to other: String,
        in directory: borrowing Descriptor
    ) throws(StoreError.Reason) {
        let base = directory.raw
        try Descriptor.call("renameat") { renameat(base, name, base, other) }
    }

    /// Deletes a file if it exists. The change is not yet durable.
    func unlink(_ name: String, in directory: borrowing Descriptor) throws(StoreError.Reason) {
        let base = directory.raw
        do {
            try Descriptor.call("unlinkat") { unlinkat(base, name, 0) }
        } catch .system(_, ENOENT) {
            return
        }
    }
}

extension stat {
    var isRegularFile: Bool { st_mode & S_IFMT == S_IFREG }
    var isSymbolicLink: Bool { st_mode & S_IFMT == S_IFLNK }
}

/// The file that a new file is about to replace.
enum ExistingFile {
    case absent
    /// A file that may be overwritten.
    case intact
    /// A file that is moved into quarantine instead of being overwritten.
    case damaged
}
