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

    /// Asks for what any caller may ask; that it ends is all that is looked at.
    private func use(_ rules: ZoneRules) {
        for seconds in [Int64.min, -1, 0, 1_800_000_000, .max] {
            let instant = Timestamp(secondsSince1970: seconds)
            let offset = rules.offsetSeconds(at: instant)
            _ = rules.reading(of: LocalTime(instant, offsetSeconds: offset))
        }
    }

    @Test(
        "a zone that does not exist, a directory and a list are none",
        arguments: ["No/Where", "Europe"]
    )
    func absent(_ name: String) throws {
        let zone = try #require(ZoneID(name))
        #expect(ZoneDirectory(path: system).rules(of: zone) == nil)
    }

    @Test("a file that counts leap seconds is refused")
    func leapSeconds() throws {
        let path = "right/Europe/Berlin"
        guard FileManager.default.fileExists(atPath: system + path) else { return }
        #expect(TZifFile.rules(in: try bytes(path)) == nil)
        #expect(TZifFile.rules(in: try bytes("Europe/Berlin")) != nil)
    }

    @Test("a file that is cut off anywhere is refused", arguments: ["Europe/Berlin", "Etc/UTC"])
    func cutOff(_ name: String) throws {
        let whole = try bytes(name)
        for length in whole.indices {
            #expect(TZifFile.rules(in: Array(whole[..<length])) == nil, "\(length) bytes")
        }
    }

    @Test(
        "a file with any byte damaged is read or refused, and what was read answers",
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

    /// A file of version 1 with `types` types, where type `used` begins at 100 seconds. The first
    /// type is UTC, the others are an hour ahead.
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

    @Test("leap seconds in the block for old readers are skipped")
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

    @Test("no more than 1,024 names are remembered, however many a server names")
    func remembered() throws {
        let folder = FileManager.default.temporaryDirectory.path + "/zones-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let zones = ZoneDirectory(path: folder)
        let names = try (0...1_024).map { try #require(ZoneID("Unknown\($0)")) }
        for name in names { #expect(zones.rules(of: name) == nil) }
        for name in names { try Data(versionOne()).write(to: URL(filePath: "\(folder)/\(name)")) }
        #expect(names.filter { zones.rules(of: $0) != nil } == [names[1_024]])
    }

    @Test("a file of version 1 has the times of its one block")
    func singleBlock() throws {
        let rules = try #require(TZifFile.rules(in: versionOne()))
        #expect(rules.offsetSeconds(at: Timestamp(secondsSince1970: 99)) == 0)
        #expect(rules.offsetSeconds(at: Timestamp(secondsSince1970: 100)) == 3_600)
    }

    @Test(
        "rules for the time after the last transition are read as POSIX has them",
        arguments: [
            ("UTC0", 0, 0), ("<+0545>-5:45", 20_700, 20_700), ("EST+5", -18_000, -18_000),
            ("EST5EDT,M3.2.0,M11.1.0", -18_000, -14_400),
            ("IST-1GMT0,M10.5.0,M3.5.0/1", 0, 3_600),
            ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", -7_200, -3_600),
            // Daylight all year: it begins as it ends.
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
        "text that is no rule is refused",
        arguments: [
            "", "UTC", "UTC25", "U0", "<UTC0", "<-03", "EST5EDT", "EST5EDT,M3.2.0",
            "EST5EDT,M13.2.0,M11.1.0",
            "EST5EDT,M3.0.0,M11.1.0", "EST5EDT,J0,J365", "EST5EDT,366,1",
            "EST5EDT,M3.2.0/168,M11.1.0",
            "EST5EDT,M3.2.0,M11.1.0x", "EST99999999999999999999",
        ]
    )
    func badTails(_ text: String) { #expect(POSIXZone.tail(Array(text.utf8)) == nil) }

    @Test("a file of 256 KiB is read, and a byte more is too much")
    func largestFile() throws {
        let folder = FileManager.default.temporaryDirectory.path + "/zones-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for (name, size) in [("Largest", 262_144), ("Larger", 262_145)] {
            let padding = [UInt8](repeating: 0, count: size - versionOne().count)
            try Data(versionOne() + padding).write(to: URL(filePath: "\(folder)/\(name)"))
            let zone = try #require(ZoneID(name))
            let rules = ZoneDirectory(path: folder).rules(of: zone)
            #expect((rules != nil) == (name == "Largest"))
        }
    }

    @Test("a zone is read once, also if it does not exist")
    func cached() throws {
        let folder = FileManager.default.temporaryDirectory.path + "/zones-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let zones = ZoneDirectory(path: folder)
        let (present, absent) = (try #require(ZoneID("A")), try #require(ZoneID("B")))
        try Data(versionOne()).write(to: URL(filePath: folder + "/A"))
        #expect(zones.rules(of: present) != nil && zones.rules(of: absent) == nil)
        try FileManager.default.moveItem(atPath: folder + "/A", toPath: folder + "/B")
        #expect(zones.rules(of: present) != nil && zones.rules(of: absent) == nil)
    }

    @Test(
        "the system's directory is an absolute TZDIR, or the usual one",
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
        "versions are 1, and those from 2 on",
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

    @Test("a zone is read from TZDIR's kind of directory; a link to nowhere and a pipe are none")
    func directory() throws {
        let folder = FileManager.default.temporaryDirectory.path + "/zones-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try Data(try bytes("Asia/Kathmandu")).write(to: URL(filePath: folder + "/Own"))
        #expect(mkfifo(folder + "/Pipe", 0o600) == 0)
        #expect(symlink("nowhere", folder + "/Link") == 0)
        try Data(count: 300 << 10).write(to: URL(filePath: folder + "/Long"))
        let zones = ZoneDirectory(path: folder)
        let name = try #require(ZoneID("Own"))
        let own = try #require(zones.rules(of: name))
        #expect(own.offsetSeconds(at: Timestamp(secondsSince1970: 1_800_000_000)) == 20_700)
        for name in ["Pipe", "Link", "Long"] {
            let zone = try #require(ZoneID(name))
            #expect(zones.rules(of: zone) == nil)
        }
    }
}
