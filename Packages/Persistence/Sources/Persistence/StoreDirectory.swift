import Glibc
import Synchronization

/// A directory of our own in which files are replaced durably.
///
/// Readers take no lock. A writer holds `flock` on the file `.lock`, which is never deleted: a lock
/// on a deleted file would exclude nobody. All names are resolved below the directory's
/// descriptor, and no link is followed.
struct StoreDirectory: ~Copyable, Sendable {
    let path: String
    /// The directories above it that must be as safe as it is, as paths from it: `..`, `../..`.
    let guardedParents: [String]
    /// The inode of the directory, once it is known that its entry in its parent is durable.
    let secured = Atomic<UInt64>(0)

    private static let temporary = ".new"

    /// The directory at `path`, or at `subdirectory` below it: then all from `path` down to it must be
    /// this user's, and no one else's to write.
    init(path: String, subdirectory: String? = nil) {
        guard let subdirectory else {
            self.path = path
            guardedParents = []
            return
        }
        self.path = "\(path)/\(subdirectory)"
        let depth = subdirectory.split(separator: "/").count
        guardedParents = (0..<depth).map {
            Array(repeating: "..", count: $0 + 1).joined(separator: "/")
        }
    }

    /// Runs `body` with the directory open; nil when it does not exist.
    func reading<R>(
        _ body: (borrowing Descriptor) throws(StoreError.Reason) -> R
    ) throws(StoreError.Reason) -> R? {
        let directory: Descriptor
        do throws(StoreError.Reason) {
            directory = try open(making: false)
        } catch .system(_, ENOENT) {
            return nil
        } catch {
            throw error
        }
        return try body(directory)
    }

    /// Runs `body` with the directory open, made if need be, and this writer alone in it.
    func writing<R>(
        _ body: (borrowing Descriptor) throws(StoreError.Reason) -> R
    ) throws(StoreError.Reason) -> R {
        let directory = try open(making: true)
        let lock = try Descriptor(openAt: directory, ".lock", O_RDWR | O_CREAT, mode: 0o600)
        guard try lock.status().isRegularFile else {
            throw .insecure("its lock is no regular file")
        }
        try lock.lockExclusively()
        // There is one writer at a time and hence one such file: this one is of a writer that died.
        try? unlink(Self.temporary, in: directory)
        return try body(directory)
    }

    /// What `decode` makes of the file `name` and its size; nil when there is no such file.
    func read<R>(
        _ name: String,
        in directory: borrowing Descriptor,
        maximum: Int,
        _ decode: (borrowing Descriptor, Int) throws(StoreError.Reason) -> R
    ) throws(StoreError.Reason) -> R? {
        let file: Descriptor
        do throws(StoreError.Reason) {
            file = try Descriptor(openAt: directory, name, O_RDONLY)
        } catch .system(_, ENOENT) {
            return nil
        } catch {
            throw error
        }
        return try read(file, maximum: maximum, decode)
    }

    /// As readers take no lock, a file that is appended to meanwhile may look damaged at its end:
    /// then it has grown, and is read again.
    private func read<R>(
        _ file: borrowing Descriptor,
        maximum: Int,
        _ decode: (borrowing Descriptor, Int) throws(StoreError.Reason) -> R
    ) throws(StoreError.Reason) -> R {
        while true {
            let status = try file.status()
            guard status.isRegularFile else { throw .insecure("it is no regular file") }
            let size = Int(status.st_size)
            guard size <= maximum else { throw .damaged("larger than any that is written") }
            do throws(StoreError.Reason) {
                return try decode(file, size)
            } catch .damaged(let what) {
                guard try file.status().st_size > status.st_size else { throw .damaged(what) }
            } catch {
                throw error
            }
        }
    }

    /// Puts what `fill` writes in the place of `name`, at once; it is durable once the directory is
    /// synchronized. `look` tells what is in that place, while the disk may already write.
    ///
    /// When it throws, `name` is as it was, or put aside where it was damaged.
    func put(
        _ name: String,
        over look: () throws(StoreError.Reason) -> Predecessor,
        in directory: borrowing Descriptor,
        _ fill: (borrowing Descriptor) throws(StoreError.Reason) -> Void
    ) throws(StoreError.Reason) {
        do throws(StoreError.Reason) {
            let predecessor = try write(Self.temporary, over: look, in: directory, fill)
            switch predecessor {
            case .nothing: try keepSetAside(name, in: directory)
            case .whole: break
            case .damaged: try setAside(name, in: directory)
            }
            try rename(Self.temporary, to: name, in: directory)
        } catch {
            try? unlink(Self.temporary, in: directory)
            throw error
        }
    }

    private func write(
        _ name: String,
        over look: () throws(StoreError.Reason) -> Predecessor,
        in directory: borrowing Descriptor,
        _ fill: (borrowing Descriptor) throws(StoreError.Reason) -> Void
    ) throws(StoreError.Reason) -> Predecessor {
        let flags = O_WRONLY | O_CREAT | O_EXCL
        let file = try Descriptor(openAt: directory, name, flags, mode: 0o600)
        try fill(file)
        let predecessor = try look()
        try file.synchronize()
        return predecessor
    }

    /// Deletes `name`, durably; a file that is not there is no error.
    func remove(_ name: String, in directory: borrowing Descriptor) throws(StoreError.Reason) {
        try unlink(name, in: directory)
        // Also where it was not there: who deleted it may have died before this.
        try directory.synchronize()
    }

    func rename(
        _ name: String,
        to other: String,
        in directory: borrowing Descriptor
    ) throws(StoreError.Reason) {
        let base = directory.raw
        try Descriptor.call("renameat") { renameat(base, name, base, other) }
    }

    func unlink(_ name: String, in directory: borrowing Descriptor) throws(StoreError.Reason) {
        let base = directory.raw
        do throws(StoreError.Reason) {
            try Descriptor.call("unlinkat") { unlinkat(base, name, 0) }
        } catch .system(_, ENOENT) {
            return
        } catch {
            throw error
        }
    }
}

extension stat {
    var isRegularFile: Bool { st_mode & S_IFMT == S_IFREG }
    var isSymbolicLink: Bool { st_mode & S_IFMT == S_IFLNK }
}
