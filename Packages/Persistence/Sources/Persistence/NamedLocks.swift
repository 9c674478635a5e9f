import Glibc
import NovaBlendFileCalls
import Synchronization

/// Locks with names, shared by all processes that use the directory.
///
/// A lock is held until its owner releases it, exits, or crashes. A lock locks one byte position of
/// the file `NAME.locks`, which stays empty and is never deleted. The position is a hash of the
/// lock's name, so two names collide with probability 2^-62. The locks that are held through the same
/// object share one descriptor.
public final class NamedLocks: Sendable {
    /// A lock that is held until this object is released.
    ///
    /// Store it in a property, or keep a local variable until the end of the work with
    /// `withExtendedLifetime`: Swift may release a variable right after its last use.
    public final class Lock: Sendable {
        private let file: LockFile
        private let offset: Int64

        fileprivate init(_ file: LockFile, _ offset: Int64) {
            self.file = file
            self.offset = offset
        }

        deinit { file.unlock(offset) }
    }

    private let directory: StoreDirectory
    private let file: StoreFile
    private let held = Mutex(HeldFile())

    /// The file of the locks that are held.
    private struct HeldFile {
        weak var file: LockFile?
    }

    /// Creates locks in the file `NAME.locks`. The first lock creates the file and the missing
    /// directories, which are those of a ``FileSnapshotStore``.
    ///
    /// - Parameters:
    ///   - directory: An absolute path.
    ///   - subdirectory: The relative path of the file's directory below `directory`.
    ///   - name: The name of the file. It is escaped into the file name, where it may have up to
    ///     200 bytes.
    public init(directory: String, subdirectory: String? = nil, name: String) {
        self.directory = StoreDirectory(path: directory, subdirectory: subdirectory)
        file = StoreFile(name, suffix: ".locks")
    }

    /// Takes the lock with the name `key`, which is any string. Does not wait.
    ///
    /// - Returns: The lock; nil if any process, including this one, already holds it.
    /// - Throws: `insecure`, `nameTooLong`, or `system`.
    public func take(_ key: String) throws(StoreError) -> Lock? {
        do throws(StoreError.Reason) {
            guard file.isValid else { throw .nameTooLong }
            let opened = try open()
            let file = held.withLock { held in
                // The file of earlier locks may have been deleted since.
                if let known = held.file, known.isSame(as: opened) { return known }
                held.file = opened
                return opened
            }
            let hash = Checksum.xxh3(Array(key.utf8)[...])
            let offset = Int64(bitPattern: hash & UInt64(Int64.max - 1))
            return try file.lock(offset) ? Lock(file, offset) : nil
        } catch .system("fcntl", EAGAIN), .system("fcntl", EACCES) {
            return nil
        } catch {
            throw StoreError(.lock, path: "\(directory.path)/\(file)", error)
        }
    }

    private func open() throws(StoreError.Reason) -> LockFile {
        let directory = try self.directory.open(creating: true)
        let opened = try self.directory.openLockFile(file.description, in: directory)
        _ = try self.directory.lockFileSize(opened)
        let status = try opened.status()
        return LockFile(opened, status)
    }
}

/// An open file whose bytes are locked.
private final class LockFile: Sendable {
    private let file: Descriptor
    private let (device, inode): (dev_t, ino_t)
    /// The offsets of the locked bytes, because the system does not let the locks of one open file
    /// exclude each other.
    private let offsets = Mutex<Set<Int64>>([])

    init(_ file: consuming Descriptor, _ status: stat) {
        self.file = file
        (device, inode) = (status.st_dev, status.st_ino)
    }

    func isSame(as other: LockFile) -> Bool { (device, inode) == (other.device, other.inode) }

    /// Locks a byte. Returns false if it is locked.
    func lock(_ offset: Int64) throws(StoreError.Reason) -> Bool {
        try offsets.withLock { offsets throws(StoreError.Reason) in
            guard !offsets.contains(offset) else { return false }
            try Descriptor.call("fcntl") { nb_lock_byte(file.raw, offset) }
            offsets.insert(offset)
            return true
        }
    }

    func unlock(_ offset: Int64) {
        offsets.withLock { offsets in
            // Closing would not be enough: a forked child has a copy of the descriptor until exec.
            nb_unlock_byte(file.raw, offset)
            offsets.remove(offset)
        }
    }
}
