import Foundation

/// A tmpfs of 64 KiB in a directory of one test's own, gone with it.
final class SmallDisk: Sendable {
    /// Whether such a disk may be mounted here.
    static let isAllowed = (try? SmallDisk()) != nil

    private struct NotPermitted: Error {}
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
        let options = "size=64k,mode=700"
        guard mount("none", directory.path, "tmpfs", 0, options) == 0 else { throw NotPermitted() }
    }

    deinit { umount(directory.path) }

    /// Takes all space in a file, but for a number of pages.
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
