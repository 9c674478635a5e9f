import CivilTime
import Foundation
import Testing
import Zones

/// Compares every transition of the system's zones from 2020 to 2035 with Python's `zoneinfo`.
@Suite(
    "Every transition of every zone",
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3"))
)
struct EveryTransitionTests {
    private struct Line {
        var zone: String
        var instant: Int64
        var before: Int
        var after: Int
    }

    private let zones = ZoneDirectory(path: "/usr/share/zoneinfo")
    private let lines: [Line]

    /// Runs Python once for all tests.
    private static let table = Result { try runPython() }

    init() throws { lines = try Self.table.get() }

    private static func runPython() throws -> [Line] {
        let python = Process()
        python.executableURL = URL(filePath: "/usr/bin/python3")
        let directory = URL(filePath: #filePath).deletingLastPathComponent()
        python.arguments = [directory.appending(path: "transitions.py").path]
        let output = Pipe()
        python.standardOutput = output
        try python.run()
        let text = String(
            decoding: output.fileHandleForReading.readDataToEndOfFile(),
            as: UTF8.self
        )
        python.waitUntilExit()
        try #require(python.terminationStatus == 0)
        return try text.split(separator: "\n").map { line in
            let words = line.split(separator: " ")
            return Line(
                zone: String(words[0]),
                instant: try #require(Int64(words[1])),
                before: try #require(Int(words[2])),
                after: try #require(Int(words[3]))
            )
        }
    }

    private func rules(_ name: String) throws -> ZoneRules {
        let zone = try #require(ZoneID(name), "\(name)")
        return try #require(zones.rules(of: zone), "\(name)")
    }

    @Test("is the same as in Python, and Python has no others")
    func sameTransitions() throws {
        let start = Timestamp(secondsSince1970: 1_577_836_800)
        let end = Timestamp(secondsSince1970: 2_082_758_400)
        let byZone = Dictionary(grouping: lines, by: \.zone)
        #expect(byZone.count > 400)
        for (name, lines) in byZone {
            let expected = lines.filter { $0.before != $0.after }.map {
                ZoneRules.Transition(
                    Timestamp(secondsSince1970: $0.instant),
                    offsetSeconds: $0.after
                )
            }
            let rules = try rules(name)
            #expect(rules.transitions(from: start, to: end) == expected, "\(name)")
            let offset = try #require(lines.first?.before)
            #expect(rules.offsetSeconds(at: start) == offset, "\(name)")
        }
    }

    @Test("has Python's offsets on both sides, and local times convert back to their instants")
    func offsets() throws {
        for line in lines where line.before != line.after {
            let rules = try rules(line.zone)
            let sides = [(-1, line.before), (0, line.after)]
            for (seconds, offset) in sides {
                let instant = Timestamp(secondsSince1970: line.instant + Int64(seconds))
                #expect(rules.offsetSeconds(at: instant) == offset, "\(line)")
                let local = LocalTime(instant, offsetSeconds: offset)
                switch rules.reading(of: local) {
                case .unique(let read): #expect(read == instant, "\(line)")
                case .ambiguous(let earlier, let later):
                    #expect(earlier == instant || later == instant, "\(line)")
                case .gap: Issue.record("\(line): a local time that occurs is in a gap")
                }
            }
        }
    }

    @Test("leads to a gap or to ambiguous local times, with unique ones next to them")
    func gapsAndOverlaps() throws {
        for line in lines where line.before != line.after {
            let rules = try rules(line.zone)
            let edges = [line.instant + Int64(line.before), line.instant + Int64(line.after)]
            let (low, high) = (min(edges[0], edges[1]), max(edges[0], edges[1]))
            for local in [low, (low + high) / 2, high - 1] {
                let first = Timestamp(secondsSince1970: local - Int64(line.before))
                let second = Timestamp(secondsSince1970: local - Int64(line.after))
                let expected: LocalReading =
                    line.after > line.before
                    ? .gap(
                        before: second,
                        after: first,
                        transition: Timestamp(secondsSince1970: line.instant)
                    ) : .ambiguous(earlier: first, later: second)
                #expect(
                    rules.reading(of: LocalTime(localSeconds: local)) == expected,
                    "\(line)"
                )
            }
            for local in [low - 1, high] {
                guard case .unique = rules.reading(of: LocalTime(localSeconds: local)) else {
                    Issue.record("\(line): \(local) next to it is not unique")
                    continue
                }
            }
        }
    }
}
