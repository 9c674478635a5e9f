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
        private let file: Int32
        private let offset: Int64

        fileprivate init(file: Int32, offset: Int64) {
            self.file = file
            self.offset = offset
        }

        deinit {
            // A child that was forked just now has a copy of the descriptor until it calls exec.
            nb_unlock_byte(file, offset)
            close(file)
        }
    }

    private let directory: StoreDirectory
    private let name: String

    /// Uses the file `NAME.locks` in `directory`, an absolute path. The first lock creates both.
    /// `subdirectory` is as in ``FileSnapshotStore/init(directory:subdirectory:)``.
    public init(directory: String, subdirectory: String? = nil, name: String) {
        self.directory = StoreDirectory(path: directory, subdirectory: subdirectory)
        self.name = name
    }

    /// Takes the lock `key` without waiting; nil while it is held, by any process or by this one.
    ///
    /// Throws `insecure`, `invalidName`, or `system`.
    public func take(_ key: String) throws(StoreError) -> Lock? {
        do throws(StoreError.Reason) {
            guard StoreName.isValid(name) else { throw .invalidName }
            return try take(byte: Self.offset(of: key))
        } catch {
            throw StoreError(.lock, path: "\(directory.path)/\(file)", error)
        }
    }

    private var file: String { name + ".locks" }

    private func take(byte offset: Int64) throws(StoreError.Reason) -> Lock? {
        let directory = try directory.open(making: true)
        let opened = try Descriptor(openAt: directory, file, O_RDWR | O_CREAT, mode: 0o600)
        guard try opened.status().isRegularFile else {
            throw .insecure("its lock is no regular file")
        }
        let raw = opened.raw
        do throws(StoreError.Reason) {
            try Descriptor.call("fcntl") { nb_lock_byte(raw, offset) }
        } catch .system(_, EAGAIN), .system(_, EACCES) {
            return nil
        } catch {
            throw error
        }
        return Lock(file: opened.release(), offset: offset)
    }

    private static func offset(of key: String) -> Int64 {
        Int64(bitPattern: Checksum.xxh3(Array(key.utf8)[...]) & UInt64(Int64.max - 1))
    }
}
