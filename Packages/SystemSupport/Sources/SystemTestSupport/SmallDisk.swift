import Foundation
import SystemSupport

/// A file system in memory, which is unmounted with its last reference. Usually, only root may mount
/// it.
public final class SmallDisk: Sendable {
    /// Whether this process may mount one.
    public static let isAllowed = (try? SmallDisk(size: "64k")) != nil

    /// The directory at which the file system is mounted.
    public let directory: TemporaryDirectory

    /// Mounts a file system of this size, such as `64k`, whose directory has this mode, with `flags`
    /// of mount(2).
    public init(size: String, mode: String = "700", flags: UInt = 0) throws {
        directory = try TemporaryDirectory()
        let options = "size=\(size),mode=\(mode)"
        guard mount("tmpfs", directory.path, "tmpfs", flags, options) == 0 else {
            throw SystemError(code: errno)
        }
    }

    deinit { umount(directory.path) }

    /// Fills the disk with the file `filler`, except for `pages` pages.
    public func fill(leaving pages: Int) throws {
        var status = statvfs()
        guard statvfs(directory.path, &status) == 0 else { throw SystemError(code: errno) }
        let size = (Int(status.f_bavail) - pages) * Int(status.f_bsize)
        try Data(count: max(0, size)).write(to: URL(filePath: directory.file("filler")))
    }

    /// Deletes the file `filler`.
    public func empty() throws { try directory.remove("filler") }

    /// Makes it read-only. Returns false if a file is open for writing.
    public func makeReadOnly() -> Bool {
        mount("tmpfs", directory.path, "tmpfs", UInt(MS_RDONLY | MS_REMOUNT), nil) == 0
    }
}
