import Glibc
import SystemSupport

/// Checks that only this user can write to a directory.
struct PermissionCheck {
    let name: String
    let path: String

    var finding: Finding {
        let check = "\(name)-mode"
        var status = stat()
        guard lstat(path.systemBytes, &status) == 0 else {
            return Finding(check, .ok, "will be created with access for this user only")
        }
        if status.st_mode & S_IFMT == S_IFLNK {
            return fail(
                check,
                "\(path) is a symbolic link",
                "use --\(name)-dir DIR with the directory that it points to"
            )
        }
        if status.st_uid != geteuid() {
            return fail(
                check,
                "\(path) belongs to user \(status.st_uid)",
                "choose a different one with --\(name)-dir DIR"
            )
        }
        if status.st_mode & 0o022 != 0 {
            return fail(check, "other users can write to \(path)", "chmod go-w '\(path)'")
        }
        if access(path.systemBytes, R_OK | W_OK | X_OK) != 0 {
            return fail(check, "you cannot read and write \(path)", "chmod u+rwx '\(path)'")
        }
        if status.st_mode & 0o055 != 0 {
            let found = "other users can list \(path), but cannot read its files"
            return Finding(check, .ok, found)
        }
        return Finding(check, .ok, "only this user has access")
    }

    private func fail(_ check: String, _ found: String, _ advice: String) -> Finding {
        Finding(check, .fail, found, advice: advice)
    }
}
