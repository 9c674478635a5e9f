import Glibc
import NovaBlendSystemSQLite

/// The file of a database. It holds phone numbers and email addresses, so only its owner may read
/// it.
enum DatabaseFile {
    /// Creates the file with access for this user only. SQLite creates the `-wal` and `-shm` files
    /// with the same mode. If the file exists, removes the permissions of other users from all
    /// three.
    ///
    /// This does not open an existing file: closing it would release the locks that another
    /// connection of this process holds on it (fcntl(2), "Advisory record locking").
    static func restrict(_ path: String) throws(Database.Failure) {
        let file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if file >= 0 {
            close(file)
            return
        }
        // SQLite reports every other error when it opens the file.
        guard errno == EEXIST else { return }
        guard access(path, F_OK) == 0 else {
            throw failure("it is a symbolic link to a file that does not exist")
        }
        for suffix in ["", "-wal", "-shm"] { try tighten(path + suffix) }
    }

    private static func tighten(_ path: String) throws(Database.Failure) {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            status.st_mode & 0o077 != 0
        else { return }
        guard chmod(path, status.st_mode & 0o700) == 0 else {
            let reason = String(cString: strerror(errno))
            throw failure(
                "other users can access \(path), and its mode cannot be changed: \(reason)"
            )
        }
    }

    private static func failure(_ message: String) -> Database.Failure {
        Database.Failure(code: SQLITE_CANTOPEN, message: message)
    }
}
