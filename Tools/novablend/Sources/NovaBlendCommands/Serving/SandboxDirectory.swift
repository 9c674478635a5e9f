import CommandLineKit
import Glibc
import NovaBlendAdapters

/// The temporary directory of a sandbox, for its cache and its journal.
///
/// The process of the sandbox locks the directory. So if that process was killed, the next sandbox
/// recognizes the directory as abandoned and deletes it.
struct SandboxDirectory: Sendable {
    let path: String
    private let lock: Int32

    private static let parent = "/tmp"
    private static let prefix = "novablend-sandbox-"

    /// Creates a directory, and deletes those of dead processes.
    init() throws(CommandError) {
        Self.deleteAbandoned()
        for _ in 1...10 {
            var template = Array("\(Self.parent)/\(Self.prefix)XXXXXX".utf8CString)
            guard mkdtemp(&template) != nil else { throw Self.failure(errno) }
            let created = String(
                decoding: template.dropLast().map(UInt8.init(bitPattern:)),
                as: UTF8.self
            )
            // A different process may have deleted the directory before it was locked.
            guard let lock = Self.lock(created) else { continue }
            (path, self.lock) = (created, lock)
            return
        }
        throw Self.failure(EAGAIN)
    }

    /// Deletes the directory with its contents.
    func delete() {
        Self.delete(path)
        close(lock)
    }

    /// Locks the directory at `path` for as long as the result is open. Returns nil if it is locked,
    /// is not a directory of this user, or does not exist anymore.
    private static func lock(_ path: String) -> Int32? {
        let directory = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard directory >= 0 else { return nil }
        var (locked, current) = (stat(), stat())
        guard fstat(directory, &locked) == 0, locked.st_uid == geteuid(),
            flock(directory, LOCK_EX | LOCK_NB) == 0, lstat(path, &current) == 0,
            (locked.st_dev, locked.st_ino) == (current.st_dev, current.st_ino)
        else {
            close(directory)
            return nil
        }
        return directory
    }

    private static func deleteAbandoned() {
        for name in DirectoryListing.names(in: parent) where name.hasPrefix(prefix) {
            let path = "\(parent)/\(name)"
            guard let lock = lock(path) else { continue }
            delete(path)
            close(lock)
        }
    }

    /// Deletes a directory with its contents. Links are deleted, not followed.
    private static func delete(_ directory: String) {
        for name in DirectoryListing.names(in: directory) {
            let path = "\(directory)/\(name)"
            if unlink(path) != 0 { delete(path) }
        }
        rmdir(directory)
    }

    private static func failure(_ code: Int32) -> CommandError {
        CommandError(
            .failure,
            "cannot create a temporary directory: \(String(cString: strerror(code)))"
        )
    }
}
