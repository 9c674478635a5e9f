import Glibc

/// A file system in memory, which is unmounted when this value is destroyed. Only root can mount it.
public struct SmallDisk: ~Copyable {
    /// Whether the tests can use one.
    public static let isAvailable = getuid() == 0 && (try? SmallDisk(size: "64k")) != nil

    /// Where it is mounted.
    public let directory: String

    /// Mounts a file system of this size, such as `64k`.
    public init(size: String) throws { directory = try Self.mount(size) }

    private static func mount(_ size: String) throws -> String {
        var template = Array("/tmp/novablend-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Failure() }
        let path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        guard Glibc.mount("tmpfs", path, "tmpfs", 0, "size=\(size)") == 0 else {
            rmdir(path)
            throw Failure()
        }
        return path
    }

    struct Failure: Error {}

    /// Makes it read-only. No file may be open for writing.
    public func makeReadOnly() -> Bool {
        Glibc.mount("tmpfs", directory, "tmpfs", UInt(MS_RDONLY | MS_REMOUNT), nil) == 0
    }

    deinit {
        umount(directory)
        rmdir(directory)
    }
}
