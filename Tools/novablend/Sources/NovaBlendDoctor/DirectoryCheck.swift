import Glibc
import SystemSupport

/// Checks that a directory exists or can be created.
struct DirectoryCheck {
    let name: String
    let path: String

    var finding: Finding {
        let check = "\(name)-dir"
        var status = stat()
        if stat(path.systemBytes, &status) == 0 {
            guard status.st_mode & S_IFMT == S_IFDIR else {
                return Finding(check, .fail, "\(path) is not a directory", advice: advice)
            }
            return Finding(check, .ok, path)
        }
        guard errno == ENOENT else {
            let reason = String(cString: strerror(errno))
            return Finding(check, .fail, "\(path): \(reason)", advice: advice)
        }
        let parent = nearestParent
        guard access(parent, W_OK | X_OK) == 0 else {
            return Finding(
                check,
                .fail,
                "\(path) does not exist and cannot be created in \(parent)",
                advice: advice
            )
        }
        return Finding(check, .ok, "\(path) will be created when it is needed")
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
