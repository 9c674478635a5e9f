import Glibc
import SystemSupport

/// The inotify watches of a directory and of the directories above it.
///
/// A watch belongs to an inode. So if the directory or one above it is moved, or if it is deleted, the
/// path leads elsewhere, and ``renew()`` must follow it.
struct PathWatch {
    /// The changes of files that are reported.
    private static let content =
        UInt32(IN_MOVED_TO) | UInt32(IN_MOVED_FROM) | UInt32(IN_DELETE) | UInt32(IN_MODIFY)
    private static let creation = UInt32(IN_CREATE) | UInt32(IN_MOVED_TO)

    private let inotifyFD: Int32
    /// The path of each directory, from the root to the watched one.
    private let paths: [String]
    private var watches: Set<Int32> = []
    /// The watch of the directory itself; nil if it does not exist.
    private(set) var directory: Int32?

    /// Creates watches of the path, which begin with ``renew()``.
    init(_ path: String, inotifyFD: Int32) {
        self.inotifyFD = inotifyFD
        paths = path.unicodeScalars.split(separator: "/").reduce(into: ["/"]) { paths, name in
            paths.append((paths.last == "/" ? "" : paths.last ?? "") + "/" + String(name))
        }
    }

    /// Watches the directory at the path. If it does not exist, watches for its creation.
    mutating func renew() {
        for watch in watches { inotify_rm_watch(inotifyFD, watch) }
        (watches, directory) = ([], nil)
        for (index, path) in paths.enumerated() {
            let isLast = index == paths.count - 1
            let mask = UInt32(IN_MOVE_SELF) | (isLast ? Self.content | UInt32(IN_DONT_FOLLOW) : 0)
            var watch = add(path, mask)
            // A parent directory that this user may not read cannot be watched.
            if watch == nil, errno == EACCES, !isLast { continue }
            if watch == nil, index > 0, add(paths[index - 1], Self.creation) != nil {
                // The directory may have been created before its parent was watched.
                watch = add(path, mask)
            }
            guard let watch else { return }
            if isLast { directory = watch }
        }
    }

    /// Whether an event means that the path may lead to a different directory than before.
    func isMoved(by mask: UInt32, of watch: Int32) -> Bool {
        guard watches.contains(watch) else { return false }
        let isGone = mask & (UInt32(IN_IGNORED) | UInt32(IN_MOVE_SELF)) != 0
        return isGone || directory == nil && mask & Self.creation != 0
    }

    private mutating func add(_ path: String, _ mask: UInt32) -> Int32? {
        let flags = UInt32(IN_ONLYDIR) | UInt32(IN_MASK_ADD)
        let watch = inotify_add_watch(inotifyFD, path.systemBytes, mask | flags)
        guard watch >= 0 else { return nil }
        watches.insert(watch)
        return watch
    }
}
