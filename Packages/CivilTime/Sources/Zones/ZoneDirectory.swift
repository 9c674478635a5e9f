public import CivilTime
import Glibc
import Synchronization

/// The system's time zone database: a directory of TZif files.
///
/// This class does not use Foundation's time zones, because a statically linked program cannot load
/// them.
public final class ZoneDirectory: ZoneSource {
    /// The size limit of a file, in bytes. Real files have a few kilobytes.
    private static let maximumFileSize = 256 << 10
    /// The number of cached zones is limited because servers choose the names.
    private static let maximumCachedZones = 1_024

    /// The path of the directory.
    public let path: String
    /// The zones that were requested; nil for a zone without a readable file.
    private let cached = Mutex<[ZoneID: ZoneRules?]>([:])

    /// Creates a source for the directory at `path`. If `path` is nil, it is the system's
    /// directory: `$TZDIR` if that is an absolute path, and otherwise `/usr/share/zoneinfo`.
    public init(path: String? = nil) {
        self.path = path ?? Self.systemPath(tzdir: getenv("TZDIR").map { String(cString: $0) })
    }

    static func systemPath(tzdir: String?) -> String {
        if let tzdir, tzdir.hasPrefix("/") { tzdir } else { "/usr/share/zoneinfo" }
    }

    /// Files that are not zones of the IANA database: this machine's own zone, the default for POSIX
    /// rules, and the zone of a machine that has none yet.
    private static let otherFiles: Set = ["localtime", "posixrules", "Factory"]
    /// Directories with copies of the database, some of which count leap seconds.
    private static let copies = ["posix/", "right/"]

    /// The rules of `zone`; nil if its file is missing, too large, or damaged, or if the name is
    /// not one of the database, such as `localtime` or `right/UTC`. The result is cached.
    public func rules(of zone: ZoneID) -> ZoneRules? {
        if Self.otherFiles.contains(zone.name) || Self.copies.contains(where: zone.name.hasPrefix) {
            return nil
        }
        if let rules = cached.withLock({ $0[zone] }) { return rules }
        let rules = rules(inFile: "\(path)/\(zone.name)")
        cached.withLock { cached in
            if cached.count < Self.maximumCachedZones { cached.updateValue(rules, forKey: zone) }
        }
        return rules
    }

    /// The rules of this machine's time zone: those of `$TZ`, or else of `/etc/localtime`. As in the C
    /// library, UTC stands for a zone that cannot be read.
    public var localRules: ZoneRules? {
        localRules(tz: getenv("TZ").map { String(cString: $0) }, file: "/etc/localtime")
    }

    /// The rules of this machine's time zone, as the C library determines them.
    ///
    /// - Parameters:
    ///   - tz: The value of `$TZ`: a name or a path, also after a colon, or a POSIX rule; nil if it
    ///     is not set.
    ///   - file: The file to read if `tz` is nil.
    func localRules(tz: String?, file: String) -> ZoneRules? {
        let utc = ZoneRules(firstOffsetSeconds: 0, transitions: [], tail: nil)
        guard let tz else { return rules(inFile: file) ?? utc }
        let name = tz.hasPrefix(":") ? String(tz.dropFirst()) : tz
        if name.hasPrefix("/") { return rules(inFile: name) ?? utc }
        if let rules = ZoneID(name).flatMap({ rules(of: $0) }) { return rules }
        let tail = POSIXZone.tail(Array(tz.utf8))
        return tail.flatMap { ZoneRules(firstOffsetSeconds: 0, transitions: [], tail: $0) } ?? utc
    }

    private func rules(inFile path: String) -> ZoneRules? {
        read(path).flatMap { TZifFile.rules(in: $0) }
    }

    /// The content of a regular file; nil if it cannot be read or is too large.
    private func read(_ path: String) -> [UInt8]? {
        // Opening a pipe must not block.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            status.st_size <= Self.maximumFileSize
        else { return nil }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        var length = 0
        while true {
            let count = bytes.withUnsafeMutableBytes { buffer in
                let rest = buffer[length...]
                return Glibc.read(descriptor, buffer.baseAddress?.advanced(by: length), rest.count)
            }
            if count == 0 { return Array(bytes.prefix(length)) }
            if count > 0 { length += count } else if errno != EINTR { return nil }
        }
    }
}
