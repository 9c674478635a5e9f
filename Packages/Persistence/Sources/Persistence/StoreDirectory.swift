import Glibc
import Synchronization
import SystemSupport

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

extension StoreDirectory {
    private static let maximumLinks = 40

    /// Opens the directory. With `creating`, creates the missing directories of its path, for this
    /// user only.
    ///
    /// Usually the directory exists and its path has no symbolic link. Then a single `openat2` that
    /// fails at any link is enough, because `walk` checks nothing but links. If `openat2` fails for
    /// any reason, `walk` decides.
    func open(creating: Bool) throws(StoreError.Reason) -> Descriptor {
        guard path.hasPrefix("/") else { throw .insecure("its path is not absolute") }
        guard !path.utf8.contains(0) else { throw .insecure("its path contains a null character") }
        let directory: Descriptor
        do {
            directory = try Descriptor(directoryWithoutLinks: path)
        } catch {
            directory = try walk(creating: creating)
        }
        let status = try directory.status()
        try Self.checkOwner(status, "it")
        var parent = ".."
        for _ in 0..<checkedDepth {
            try Self.checkOwner(directory.status(of: parent), "a directory above it")
            parent += "/.."
        }
        let inode = UInt64(status.st_ino)
        if creating, durableInode.load(ordering: .relaxed) != inode {
            try synchronizeEntry(of: directory)
            durableInode.store(inode, ordering: .relaxed)
        }
        return directory
    }

    /// Opens the path component by component. The last component must not be a link. Links before
    /// it are followed only if root or this user owns them, such as a `/home` on a different disk.
    private func walk(creating: Bool) throws(StoreError.Reason) -> Descriptor {
        var current = try Descriptor.root()
        var components = path.split(separator: "/")[...]
        var links = 0
        while let name = components.popFirst().map(String.init) {
            let next: Descriptor
            do {
                next = try Descriptor(openAt: current, name, Descriptor.pathOnly)
            } catch .system(_, ENOENT) where creating {
                try synchronizeEntry(of: current)
                try makeDirectory(name, in: current)
                next = try Descriptor(openAt: current, name, Descriptor.pathOnly)
            }
            let status = try next.status()
            guard status.isSymbolicLink else {
                current = next
                continue
            }
            links += 1
            guard !components.isEmpty else { throw .insecure("it is a symbolic link") }
            guard [0, geteuid()].contains(status.st_uid) else {
                throw .insecure("its path has a symbolic link of another user")
            }
            guard links <= Self.maximumLinks else {
                throw .insecure("its path has too many symbolic links")
            }
            let target = try next.linkTarget()
            if target.hasPrefix("/") { current = try Descriptor.root() }
            components.insert(contentsOf: target.split(separator: "/"), at: components.startIndex)
        }
        return try Descriptor(openAt: current, ".", O_RDONLY | O_DIRECTORY)
    }

    /// Throws unless this user owns a directory and no one else can write to it. `name` is how the
    /// error refers to the directory.
    private static func checkOwner(_ status: stat, _ name: String) throws(StoreError.Reason) {
        guard status.st_uid == geteuid() else {
            throw .insecure("\(name) belongs to another user")
        }
        guard status.st_mode & 0o022 == 0 else { throw .insecure("others can write to \(name)") }
    }

    private func makeDirectory(
        _ name: String,
        in parent: borrowing Descriptor
    ) throws(StoreError.Reason) {
        let base = parent.raw
        do {
            try Descriptor.call("mkdirat") { mkdirat(base, name.systemBytes, 0o700) }
        } catch .system(_, EEXIST) {
            return
        }
    }

    /// Makes the entry of `directory` in its parent durable: the process that created the directory
    /// may have died before it did.
    private func synchronizeEntry(
        of directory: borrowing Descriptor
    ) throws(StoreError.Reason) {
        let parent: Descriptor
        do {
            parent = try Descriptor(openAt: directory, "..", O_RDONLY | O_DIRECTORY)
        } catch .system(_, EACCES) {
            // A directory that this user may not read was not created by this user, so it is not
            // made durable.
            return
        }
        try parent.synchronize()
    }
}

extension StoreDirectory {
    /// The part of a quarantined file's name between the original file name and a number.
    static let quarantineSuffix = ".damaged-"
    /// The largest number of damaged files to retain for each name.
    private static let maximumQuarantined = 3

    /// The names of all entries except `.` and `..`.
    func entries(in directory: borrowing Descriptor) throws(StoreError.Reason) -> [String] {
        let base = directory.raw
        // The position in a listing belongs to the open file description, so the listing needs its
        // own description.
        let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC
        let copy = try Descriptor.call("openat") { openat(base, ".", flags) }
        guard let stream = fdopendir(copy) else {
            let failure = errno
            close(copy)
            throw .system(call: "fdopendir", errno: failure)
        }
        defer { closedir(stream) }
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = Glibc.readdir(stream) else { break }
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        guard errno == 0 else { throw .system(call: "readdir", errno: errno) }
        return names
    }

    /// Durably renames the damaged file `name` to `name.damaged-N` with the next number, and
    /// deletes all but the newest of those files.
    func quarantine(_ name: String, in directory: borrowing Descriptor) throws(StoreError.Reason) {
        let prefix = Self.prefix(of: name)
        let numbers = try quarantined(entries(in: directory), prefix)
        let lock = try openLockFile(in: directory)
        try lock.truncate(to: 1)
        try rename(name, to: prefix + "\((numbers.last ?? 0) &+ 1)", in: directory)
        // Synchronize before the deletions. Otherwise a crash could undo the renaming but not the
        // deletions.
        try directory.synchronize()
        try? lock.truncate(to: 0)
        for number in numbers.dropLast(Self.maximumQuarantined - 1) {
            try? unlink(prefix + "\(number)", in: directory)
        }
    }

    /// Makes a renaming durable if the writer that renamed the file died, or failed, before it had
    /// emptied the lock file. If a crash undid this renaming, but not that of a new file to the
    /// same name, the damaged file would be lost.
    func finishQuarantine(
        _ lock: borrowing Descriptor,
        in directory: borrowing Descriptor
    ) throws(StoreError.Reason) {
        guard try lockFileSize(lock) > 0 else { return }
        try directory.synchronize()
        try? lock.truncate(to: 0)
    }

    private static func prefix(of name: String) -> String { name + quarantineSuffix }

    /// The numbers of the quarantined files, in order.
    private func quarantined(_ entries: [String], _ prefix: String) -> [UInt32] {
        entries.filter { $0.hasPrefix(prefix) }
            .compactMap { UInt32($0.dropFirst(prefix.count)) }
            .sorted()
    }
}
