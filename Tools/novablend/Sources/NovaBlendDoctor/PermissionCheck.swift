import Glibc

/// Checks that only this user can write to a directory.
struct PermissionCheck {
    let name: String
    let path: String

    var finding: Finding {
        let check = "\(name)-mode"
        var status = stat()
        guard lstat(path, &status) == 0 else {
            return Finding(check, .ok, "made for this user alone when it is needed")
        }
        if status.st_mode & S_IFMT == S_IFLNK {
            return fail(check, "\(path) is a link", "name what it leads to with --\(name)-dir DIR")
        }
        if status.st_uid != geteuid() {
            return fail(
                check,
                "\(path) belongs to user \(status.st_uid)",
                "name another with --\(name)-dir DIR"
            )
        }
        if status.st_mode & 0o022 != 0 {
            return fail(check, "\(path) can be written by others", "chmod go-w '\(path)'")
        }
        if access(path, R_OK | W_OK | X_OK) != 0 {
            return fail(check, "\(path) cannot be written", "chmod u+rwx '\(path)'")
        }
        if status.st_mode & 0o055 != 0 {
            let found = "others can look into \(path); its files are this user's alone"
            return Finding(check, .ok, found)
        }
        return Finding(check, .ok, "this user's alone")
    }

    private func fail(_ check: String, _ found: String, _ advice: String) -> Finding {
        Finding(check, .fail, found, advice: advice)
    }
}
