import Glibc
import Persistence
import SystemSupport

/// Checks that a directory exists or can be created.
struct DirectoryCheck: Check {
    let name: String
    let path: String

    var check: String { "\(name)-dir" }

    var finding: Finding {
        var status = stat()
        if stat(path.systemBytes, &status) == 0 {
            guard status.st_mode & S_IFMT == S_IFDIR else {
                return fail("\(path) is not a directory", advice: advice)
            }
            return ok(path)
        }
        guard errno == ENOENT else {
            let reason = String(cString: strerror(errno))
            return fail("\(path): \(reason)", advice: advice)
        }
        let parent = nearestParent
        guard access(parent, W_OK | X_OK) == 0 else {
            return fail("\(path) does not exist and cannot be created in \(parent)", advice: advice)
        }
        return ok("\(path) will be created when it is needed")
    }

    private var advice: String { "choose a different one with --\(name)-dir DIR" }

    private var nearestParent: String {
        var parent = path
        repeat {
            guard let end = parent.lastIndex(of: "/"), end > parent.startIndex else { return "/" }
            parent = String(parent[..<end])
        } while access(parent, F_OK) != 0
        return parent
    }
}

/// Checks that only this user can write to a directory.
struct PermissionCheck: Check {
    let name: String
    let path: String

    var check: String { "\(name)-mode" }

    var finding: Finding {
        var status = stat()
        guard lstat(path.systemBytes, &status) == 0 else {
            return ok("will be created with access for this user only")
        }
        if status.st_mode & S_IFMT == S_IFLNK {
            return fail(
                "\(path) is a symbolic link",
                advice: "use --\(name)-dir DIR with the directory that it points to"
            )
        }
        if status.st_uid != geteuid() {
            return fail(
                "\(path) belongs to user \(status.st_uid)",
                advice: "choose a different one with --\(name)-dir DIR"
            )
        }
        if status.st_mode & 0o022 != 0 {
            return fail("other users can write to \(path)", advice: "chmod go-w '\(path)'")
        }
        if access(path.systemBytes, R_OK | W_OK | X_OK) != 0 {
            return fail("you cannot read and write \(path)", advice: "chmod u+rwx '\(path)'")
        }
        if status.st_mode & 0o055 != 0 {
            let found = "other users can list \(path), but cannot read its files"
            return ok(found)
        }
        return ok("only this user has access")
    }
}

/// Checks that a file in a directory can be written durably and read again.
struct WriteCheck: Check {
    let name: String
    let path: String
    /// The account's directory below `path`; nil for `path` itself.
    var subdirectory: String?

    /// The name under which the check writes a file. No resource has this name.
    private static let file = "doctor"

    var check: String { "\(name)-write" }

    var finding: Finding {
        let store = FileSnapshotStore(directory: path, subdirectory: subdirectory)
        let written = Snapshot(
            payload: Array("a check of novablend doctor".utf8),
            savedAt: Timestamp(secondsSince1970: 0)
        )
        do {
            try store.replace(Self.file, with: written)
            let read = try store.load(Self.file)
            try store.remove(Self.file)
            guard read == written else {
                return fail(
                    "a file in \(path) was read back with different content",
                    advice: "check the disk"
                )
            }
            return ok("a durable write works")
        } catch {
            return fail(error.description)
        }
    }
}
