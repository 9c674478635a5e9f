public import CivilTime
import Glibc
import Synchronization

/// The system's time zone database: a directory of TZif files.
///
/// It does not use Foundation's time zones, because a statically linked program cannot load them.
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

    /// The rules of `zone`; nil if its file is missing, too large, or damaged, or if the name means
    /// something different on each machine. The result is cached.
    public func rules(of zone: ZoneID) -> ZoneRules? {
        if Self.otherFiles.contains(zone.name) || Self.copies.contains(where: zone.name.hasPrefix) {
            return nil
        }
        if let rules = cached.withLock({ $0[zone] }) { return rules }
        let rules = read("\(path)/\(zone.name)").flatMap { TZifFile.rules(in: $0) }
        cached.withLock { cached in
            if cached.count < Self.maximumCachedZones { cached.updateValue(rules, forKey: zone) }
        }
        return rules
    }

    /// A time zone.
    public typealias Zone = (id: ZoneID, rules: ZoneRules)

    /// The zone of this machine: the one that `$TZ` names (POSIX, section 8.3), or, without `$TZ`, the
    /// one in `/etc/localtime`. As in the C library, it is UTC if it cannot be read.
    ///
    /// The id is only a description: a zone from a file or from a POSIX rule may have no name.
    public func machineZone() -> Zone? {
        machineZone(tz: getenv("TZ").map { String(cString: $0) }, file: "/etc/localtime")
    }

    /// The same for other values of `$TZ` and `/etc/localtime`.
    func machineZone(tz: String?, file: String) -> Zone? {
        let name = tz.map { $0.hasPrefix(":") ? String($0.dropFirst()) : $0 } ?? file
        let zone = name.hasPrefix("/") ? zone(inFile: name) : zone(named: name)
        return zone ?? Self.zone("UTC", ZoneTail(standardOffsetSeconds: 0))
    }

    private func zone(named name: String) -> Zone? {
        if let id = ZoneID(name), let rules = rules(of: id) { return (id, rules) }
        return Self.zone("localtime", POSIXZone.tail(Array(name.utf8)))
    }

    private static func zone(_ name: String, _ tail: ZoneTail?) -> Zone? {
        guard let id = ZoneID(name), let tail,
            let rules = ZoneRules(
                firstOffsetSeconds: tail.standardOffsetSeconds,
                transitions: [],
                tail: tail
            )
        else { return nil }
        return (id, rules)
    }

    /// The zone in a file, with the name that its path or the target of the link ends with.
    private func zone(inFile path: String) -> Zone? {
        guard let rules = read(path).flatMap({ TZifFile.rules(in: $0) }) else { return nil }
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        let target = realpath(path, &buffer).map { String(cString: $0) } ?? path
        let name = target.firstRange(of: "/zoneinfo/").map { String(target[$0.upperBound...]) }
        return (name.flatMap(ZoneID.init) ?? ZoneID("localtime")).map { ($0, rules) }
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
