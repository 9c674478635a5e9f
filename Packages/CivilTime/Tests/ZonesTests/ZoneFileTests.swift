import CivilTime
import Foundation
import Testing

@testable import Zones

@Suite("Time zone files")
struct ZoneFileTests {
    private let system = "/usr/share/zoneinfo/"

    private func bytes(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: system + name)))
    }

    private func makeDirectory() throws -> String {
        let path = FileManager.default.temporaryDirectory.path + "/zones-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        return path
    }

    /// Calls the methods of `rules`. They must not trap; their results do not matter.
    private func use(_ rules: ZoneRules) {
        for seconds in [Int64.min, -1, 0, 1_800_000_000, .max] {
            let instant = Timestamp(secondsSince1970: seconds)
            let offset = rules.offsetSeconds(at: instant)
            _ = rules.reading(of: LocalTime(instant, offsetSeconds: offset))
        }
    }

    @Test(
        "a missing file and a directory are not zones",
        arguments: ["No/Where", "Europe"]
    )
    func absent(_ name: String) throws {
        let zone = try #require(ZoneID(name))
        #expect(ZoneDirectory(path: system).rules(of: zone) == nil)
    }

    @Test(
        "a file of the system that is not a zone of the IANA database is not a zone",
        arguments: [
            "localtime", "posixrules", "Factory", "posix/Europe/Berlin", "right/Europe/Berlin",
        ]
    )
    func notInDatabase(_ name: String) throws {
        let directory = try makeDirectory()
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let folder = URL(filePath: "\(directory)/\(name)").deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for file in [name, "Etc-UTC"] {
            let path = "\(directory)/\(file)"
            try FileManager.default.copyItem(atPath: system + "Etc/UTC", toPath: path)
        }
        let zones = ZoneDirectory(path: directory)
        #expect(zones.rules(of: try #require(ZoneID(name))) == nil)
        #expect(zones.rules(of: try #require(ZoneID("Etc-UTC"))) != nil)
    }

    @Test(
        "the zone of this machine is that of $TZ or of a file, and UTC if it cannot be read",
        arguments: [
            (nil, 7_200), ("Asia/Tokyo", 32_400), (":Asia/Tokyo", 32_400),
            ("/usr/share/zoneinfo/Asia/Tokyo", 32_400), ("JST-9", 32_400),
            ("EST5EDT,M3.2.0,M11.1.0", -14_400), ("EST5EDT,M3.2.0", 0), ("", 0), (":", 0),
            ("No/Where", 0),
            ("/no/where", 0), ("/etc/passwd", 0),
        ] as [(String?, Int)]
    )
    func local(tz: String?, summer: Int) throws {
        let rules = ZoneDirectory(path: system).localRules(tz: tz, file: system + "Europe/Berlin")
        // 2026-07-01
        let instant = Timestamp(secondsSince1970: 1_782_864_000)
        #expect(rules?.offsetSeconds(at: instant) == summer)
        let missing = ZoneDirectory(path: system).localRules(tz: nil, file: system + "No/Where")
        #expect(missing?.offsetSeconds(at: instant) == 0)
    }

    @Test(
        "a file of the system that counts leap seconds is rejected",
        .enabled(
            if: FileManager.default.fileExists(atPath: "/usr/share/zoneinfo/right/Europe/Berlin")
        )
    )
    func leapSeconds() throws {
        #expect(TZifFile.rules(in: try bytes("right/Europe/Berlin")) == nil)
        #expect(TZifFile.rules(in: try bytes("Europe/Berlin")) != nil)
    }

    @Test("a file that is truncated anywhere is rejected", arguments: ["Europe/Berlin", "Etc/UTC"])
    func truncated(_ name: String) throws {
        let whole = try bytes(name)
        for length in whole.indices {
            #expect(TZifFile.rules(in: Array(whole[..<length])) == nil, "\(length) bytes")
        }
    }

    @Test(
        "a file with any damaged byte is accepted or rejected, but causes no trap",
        arguments: ["America/Nuuk", "Africa/Casablanca", "Etc/UTC"]
    )
    func damaged(_ name: String) throws {
        let whole = try bytes(name)
        for index in whole.indices {
            for value: UInt8 in [0, 0x7F, 0x80, 0xFF, whole[index] ^ 1] {
                var damaged = whole
                damaged[index] = value
                if let rules = TZifFile.rules(in: damaged) { use(rules) }
            }
        }
    }

    /// A version 1 file with `types` types. Type `used` begins at 100 seconds. The first type is
    /// UTC; the others are one hour ahead.
    private func versionOne(leapSeconds: UInt8 = 0, types: Int = 2, used: UInt8 = 1) -> [UInt8] {
        var file = Array("TZif".utf8) + [UInt8](repeating: 0, count: 16)
        for count in [0, 0, leapSeconds, 1] { file += [0, 0, 0, count] }
        file += [0, 0, UInt8(types >> 8), UInt8(types & 0xFF), 0, 0, 0, 4]
        file += [0, 0, 0, 100, used]
        for type in 0..<types {
            file += type == 0 ? [0, 0, 0, 0, 0, 0] : [0, 0, 0x0E, 0x10, 0, 0]
        }
        file += Array("UTC\0".utf8)
        for number in 0..<leapSeconds { file += [0, 0, 1, number, 0, 0, 0, number + 1] }
        return file
    }

    @Test("leap seconds in the block for version 1 readers are skipped")
    func leapSecondsInFirstBlock() throws {
        var first = versionOne(leapSeconds: 2)
        first[4] = 0x32
        let whole = try bytes("Europe/Berlin")
        let second = try #require(
            whole.indices.dropFirst().first { whole[$0...].starts(with: "TZif".utf8) }
        )
        let rules = try #require(TZifFile.rules(in: first + whole[second...]))
        #expect(rules == TZifFile.rules(in: whole))
    }

    @Test("a file with one leap second is rejected, on any system")
    func oneLeapSecond() {
        #expect(TZifFile.rules(in: versionOne(leapSeconds: 1)) == nil)
        #expect(TZifFile.rules(in: versionOne()) != nil)
    }

    @Test("at most 1,024 zones are cached")
    func cacheLimit() throws {
        let directory = try makeDirectory()
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let zones = ZoneDirectory(path: directory)
        let names = try (0...1_024).map { try #require(ZoneID("Unknown\($0)")) }
        for name in names { #expect(zones.rules(of: name) == nil) }
        for name in names {
            try Data(versionOne()).write(to: URL(filePath: "\(directory)/\(name)"))
        }
        #expect(names.filter { zones.rules(of: $0) != nil } == [names[1_024]])
    }

    @Test("a version 1 file has the times of its only block")
    func singleBlock() throws {
        let rules = try #require(TZifFile.rules(in: versionOne()))
        #expect(rules.offsetSeconds(at: Timestamp(secondsSince1970: 99)) == 0)
        #expect(rules.offsetSeconds(at: Timestamp(secondsSince1970: 100)) == 3_600)
    }

    @Test(
        "the rule for times after the last transition has the meaning that POSIX defines",
        arguments: [
            ("UTC0", 0, 0), ("<+0545>-5:45", 20_700, 20_700), ("EST+5", -18_000, -18_000),
            ("EST5EDT,M3.2.0,M11.1.0", -18_000, -14_400),
            ("IST-1GMT0,M10.5.0,M3.5.0/1", 0, 3_600),
            ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", -7_200, -3_600),
            // Daylight saving time all year: that of each year ends when that of the next begins.
            ("XXX3EDT4,0/0,J365/23", -14_400, -14_400),
        ]
    )
    func tails(text: String, january: Int, july: Int) throws {
        let tail = try #require(POSIXZone.tail(Array(text.utf8)))
        let rules = try #require(ZoneRules(firstOffsetSeconds: 0, transitions: [], tail: tail))
        #expect(rules.offsetSeconds(at: Timestamp(secondsSince1970: 1_768_478_400)) == january)
        #expect(rules.offsetSeconds(at: Timestamp(secondsSince1970: 1_784_116_800)) == july)
    }

    @Test(
        "text that is not a rule is rejected",
        arguments: [
            "", "UTC", "UTC25", "U0", "<UTC0", "<-03", "EST5EDT", "EST5EDT,M3.2.0",
            "EST5EDT,M13.2.0,M11.1.0",
            "EST5EDT,M3.0.0,M11.1.0", "EST5EDT,J0,J365", "EST5EDT,366,1",
            "EST5EDT,M3.2.0/168,M11.1.0",
            "EST5EDT,M3.2.0,M11.1.0x", "EST99999999999999999999",
        ]
    )
    func badTails(_ text: String) { #expect(POSIXZone.tail(Array(text.utf8)) == nil) }

    @Test("a file of 256 KiB is read, and one that is one byte larger is rejected")
    func largestFile() throws {
        let directory = try makeDirectory()
        defer { try? FileManager.default.removeItem(atPath: directory) }
        for (name, size) in [("Largest", 262_144), ("Larger", 262_145)] {
            let padding = [UInt8](repeating: 0, count: size - versionOne().count)
            try Data(versionOne() + padding).write(to: URL(filePath: "\(directory)/\(name)"))
            let zone = try #require(ZoneID(name))
            let rules = ZoneDirectory(path: directory).rules(of: zone)
            #expect((rules != nil) == (name == "Largest"))
        }
    }

    @Test("a zone is read only once, even if it does not exist")
    func cached() throws {
        let directory = try makeDirectory()
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let zones = ZoneDirectory(path: directory)
        let (present, absent) = (try #require(ZoneID("A")), try #require(ZoneID("B")))
        try Data(versionOne()).write(to: URL(filePath: directory + "/A"))
        #expect(zones.rules(of: present) != nil && zones.rules(of: absent) == nil)
        try FileManager.default.moveItem(atPath: directory + "/A", toPath: directory + "/B")
        #expect(zones.rules(of: present) != nil && zones.rules(of: absent) == nil)
    }

    @Test(
        "the system's directory is TZDIR if that is absolute, and otherwise the default",
        arguments: [
            ("/zones", "/zones"), (nil, "/usr/share/zoneinfo"), ("", "/usr/share/zoneinfo"),
            ("zones", "/usr/share/zoneinfo"),
        ]
    )
    func systemPath(tzdir: String?, path: String) {
        #expect(ZoneDirectory.systemPath(tzdir: tzdir) == path)
    }

    @Test("a file has 1 to 256 types, and a transition refers to one of them")
    func types() {
        #expect(TZifFile.rules(in: versionOne(types: 0, used: 0)) == nil)
        #expect(TZifFile.rules(in: versionOne(types: 1, used: 0)) != nil)
        #expect(TZifFile.rules(in: versionOne(types: 256)) != nil)
        #expect(TZifFile.rules(in: versionOne(types: 257)) == nil)
        #expect(TZifFile.rules(in: versionOne(used: 2)) == nil)
    }

    @Test(
        "the version byte of a longer file is ASCII 2 or more, and the same in both headers",
        arguments: [(1, false), (0x31, false), (0x32, true)]
    )
    func versions(version: UInt8, isValid: Bool) throws {
        var file = try bytes("Etc/UTC")
        let second = try #require(
            file.indices.dropFirst().first { file[$0...].starts(with: "TZif".utf8) }
        )
        (file[4], file[second + 4]) = (version, version)
        #expect((TZifFile.rules(in: file) != nil) == isValid)
        file[second + 4] += 1
        #expect(TZifFile.rules(in: file) == nil)
    }

    @Test("a pipe, a dangling link, and a large file are not zones")
    func directory() throws {
        let directory = try makeDirectory()
        defer { try? FileManager.default.removeItem(atPath: directory) }
        try Data(try bytes("Asia/Kathmandu")).write(to: URL(filePath: directory + "/Own"))
        #expect(mkfifo(directory + "/Pipe", 0o600) == 0)
        #expect(symlink("nowhere", directory + "/Link") == 0)
        try Data(count: 300 << 10).write(to: URL(filePath: directory + "/Long"))
        let zones = ZoneDirectory(path: directory)
        let name = try #require(ZoneID("Own"))
        let own = try #require(zones.rules(of: name))
        #expect(own.offsetSeconds(at: Timestamp(secondsSince1970: 1_800_000_000)) == 20_700)
        for name in ["Pipe", "Link", "Long"] {
            let zone = try #require(ZoneID(name))
            #expect(zones.rules(of: zone) == nil)
        }
    }
}
