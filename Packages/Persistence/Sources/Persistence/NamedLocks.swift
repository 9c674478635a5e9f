import Glibc
import NovaBlendFileCalls

/// Locks with names, shared by all processes that use the directory.
///
/// A lock is held until its owner releases it, exits, or crashes. A lock locks one byte position of
/// the file `NAME.locks`, which stays empty and is never deleted. The position is a hash of the
/// lock's name, so two names collide with probability 2^-62.
public final class NamedLocks: Sendable {
    /// A lock that is held until this object is released.
    ///
    /// Store it in a property, or keep a local variable until the end of the work with
    /// `withExtendedLifetime`: Swift may release a variable right after its last use.
    public final class Lock: Sendable {
        private let file: Descriptor
        private let offset: Int64

        fileprivate init(file: consuming Descriptor, offset: Int64) {
            self.file = file
            self.offset = offset
        }

        deinit {
            // Closing is not enough: a forked child has a copy of the descriptor until exec.
            nb_unlock_byte(file.raw, offset)
        }
    }

    private let directory: StoreDirectory
    private let file: StoreFile

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
            let open = try directory.open(creating: true)
            let lockFile = try directory.openLockFile(file.description, in: open)
            _ = try directory.lockFileSize(lockFile)
            let raw = lockFile.raw
            let hash = Checksum.xxh3(Array(key.utf8)[...])
            let offset = Int64(bitPattern: hash & UInt64(Int64.max - 1))
            try Descriptor.call("fcntl") { nb_lock_byte(raw, offset) }
            return Lock(file: lockFile, offset: offset)
        } catch .system("fcntl", EAGAIN), .system("fcntl", EACCES) {
            return nil
        } catch {
            throw StoreError(.lock, path: "\(directory.path)/\(file)", error)
        }
    }
}
