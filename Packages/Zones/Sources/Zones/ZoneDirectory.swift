public import CivilTime
import Glibc
import Synchronization

/// Time zones as the system has them: a directory of TZif files.
///
/// Foundation's zones are not used: in a statically linked program they were not found.
public final class ZoneDirectory: ZoneSource {
    /// A zone's file has a few kilobytes.
    private static let longestFile = 256 << 10
    /// Names come from a remote: what is remembered of them is bounded.
    private static let mostRemembered = 1_024

    /// Where they are read.
    public let path: String
    private let remembered = Mutex<[ZoneID: ZoneRules?]>([:])

    /// Reads from the directory at `path`, or from the system's: `$TZDIR` if it is absolute, else
    /// `/usr/share/zoneinfo`.
    public init(path: String? = nil) {
        let variable = getenv("TZDIR").map { String(cString: $0) }
            .flatMap { $0.hasPrefix("/") ? $0 : nil }
        self.path = path ?? variable ?? "/usr/share/zoneinfo"
    }

    /// The rules of `zone`; nil where there is no such file or it is damaged.
    public func rules(of zone: ZoneID) -> ZoneRules? {
        if let known = remembered.withLock({ $0[zone] }) { return known }
        let rules = read("\(path)/\(zone.name)").flatMap { TZifFile.rules(in: $0) }
        remembered.withLock { remembered in
            if remembered.count < Self.mostRemembered {
                remembered.updateValue(rules, forKey: zone)
            }
        }
        return rules
    }

    /// The bytes of a regular file that is not too long.
    private func read(_ path: String) -> [UInt8]? {
        // A pipe in the file's place must not hold us.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            status.st_size <= Self.longestFile
        else { return nil }
        var bytes = [UInt8](repeating: 0, count: Self.longestFile)
        var length = 0
        while length < bytes.count {
            let room = bytes.count - length
            let count = bytes.withUnsafeMutableBytes { buffer in
                Glibc.read(descriptor, buffer.baseAddress?.advanced(by: length), room)
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return nil }
            if count == 0 { break }
            length += count
        }
        return Array(bytes.prefix(length))
    }
}
