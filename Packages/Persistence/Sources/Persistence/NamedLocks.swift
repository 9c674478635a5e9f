import Glibc
import NovaBlendFileCalls

/// Locks with names, shared by all processes that use one directory.
///
/// A lock lasts until its owner releases it or ends, also by a crash. All locks are bytes of one file,
/// `NAME.locks`, which stays empty and is never deleted. Two names share a lock with a probability of
/// 2^-63.
public final class NamedLocks: Sendable {
    /// A lock that is held for as long as this object lives.
    public final class Lock: Sendable {
        private let file: Descriptor
        private let offset: Int64

        fileprivate init(file: consuming Descriptor, offset: Int64) {
            self.file = file
            self.offset = offset
        }

        deinit {
            // A child that was forked just now has a copy of the descriptor until it calls exec.
            nb_unlock_byte(file.raw, offset)
        }
    }

    private let directory: StoreDirectory
    private let file: StoreFile

    /// Uses the file `NAME.locks` in `directory`, an absolute path. The first lock creates both.
    /// `subdirectory` is as in ``FileSnapshotStore/init(directory:subdirectory:)``.
    public init(directory: String, subdirectory: String? = nil, name: String) {
        self.directory = StoreDirectory(path: directory, subdirectory: subdirectory)
        file = StoreFile(name, suffix: ".locks")
    }

    /// Takes the lock `key` without waiting; nil while it is held, by any process or by this one.
    ///
    /// Throws `insecure`, `invalidName`, or `system`.
    public func take(_ key: String) throws(StoreError) -> Lock? {
        do throws(StoreError.Reason) {
            guard file.isValid else { throw .invalidName }
            let directory = try directory.open(making: true)
            let flags = O_RDWR | O_CREAT
            let opened = try Descriptor(openAt: directory, file.description, flags, mode: 0o600)
            guard try opened.status().isRegularFile else {
                throw .insecure("its lock is no regular file")
            }
            let raw = opened.raw
            let hash = Checksum.xxh3(Array(key.utf8)[...])
            let offset = Int64(bitPattern: hash & UInt64(Int64.max - 1))
            try Descriptor.call("fcntl") { nb_lock_byte(raw, offset) }
            return Lock(file: opened, offset: offset)
        } catch .system("fcntl", EAGAIN), .system("fcntl", EACCES) {
            return nil
        } catch {
            throw StoreError(.lock, path: "\(directory.path)/\(file)", error)
        }
    }
}
