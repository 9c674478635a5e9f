import Foundation
import PersistenceTestSupport

/// A tmpfs of 64 KiB in a new directory. It is unmounted with its last reference.
final class SmallDisk: Sendable {
    /// Whether this process may mount a tmpfs.
    static let isAllowed = (try? SmallDisk()) != nil

    private struct NotPermitted: Error {}
    let directory: TemporaryDirectory

    /// Mounts the disk with `flags` of `mount(2)`.
    init(flags: UInt = 0) throws {
        directory = try TemporaryDirectory()
        let options = "size=64k,mode=700"
        guard mount("none", directory.path, "tmpfs", flags, options) == 0 else {
            throw NotPermitted()
        }
    }

    deinit { umount(directory.path) }

    /// Fills the disk with one file, except for `pages` pages.
    func fill(leaving pages: Int) throws {
        let page = 4_096
        let file = directory.file("filler")
        var size = 64 << 10
        while (try? Data(count: size).write(to: URL(filePath: file))) == nil { size -= page }
        truncate(file, max(0, size - pages * page))
    }

    func empty() throws {
        try FileManager.default.removeItem(atPath: directory.file("filler"))
    }
}
