import CommandLineKit
import Domain
import Testing
import Zones

@testable import NovaBlendCommands

@Suite("A typed time")
struct TypedTimeTests {
    /// 2026-03-28T23:30:00Z. In Berlin it is already March 29, the day when clocks go forward.
    private let now = Timestamp(secondsSince1970: 1_774_740_600)

    private func times(_ zone: String) throws -> TypedTime {
        let id = try #require(ZoneID(zone))
        let rules = try #require(ZoneDirectory().rules(of: id))
        return TypedTime(clock: .zone(id, rules), now: now)
    }

    @Test(
        "is left to the method, which knows the clock of each salon",
        arguments: [
            "2026-05-01T9:30", "tomorrow 9:00", "2026-05-01 10:30", "2026-05-01t10:30:05",
            "Tomorrow 9am", "2026-05-01T10:30+0200", "2026-05-01T10:30:00Z", "mon 9:00",
            "saturd 23:59", "sun at 0:30",
        ]
    )
    func unchanged(typed: String) throws {
        let times = try times("Europe/Berlin")
        #expect(try times.time(typed, for: "start") == typed)
        #expect(try times.bound(typed, for: "start") == typed)
        #expect(try TypedTime(clock: nil, now: now).time(typed, for: "start") == typed)
        #expect(!times.isDay(typed))
    }

    @Test("must be a day and a time of day", arguments: ["today", "mon", "2026-05-01", "", "x y"])
    func incomplete(typed: String) throws {
        #expect(try times("Europe/Berlin").time(typed, for: "start") == nil)
    }

    @Test(
        "that cannot exist is an error that says why",
        arguments: ["2026-13-01 10:30", "today 24:30", "next monday", "today 9:00+02:00"]
    )
    func invalid(typed: String) throws {
        let times = try times("Europe/Berlin")
        for read in [times.time, times.bound] {
            let error = commandError { _ = try read(typed, "start") }
            #expect(error?.exitCode == .usage, "\(error as Any)")
            #expect(error?.message.hasPrefix("\"start\" must be a ") == true)
        }
    }

    /// The zone of a machine in Berlin.
    private struct LocalZone: ZoneSource {
        let localRules: ZoneRules?

        func rules(of zone: ZoneID) -> ZoneRules? { nil }
    }

    /// For a salon without a time zone, on a machine in Berlin.
    private func machineTimes() throws -> TypedTime {
        let rules = ZoneDirectory().rules(of: try #require(ZoneID("Europe/Berlin")))
        return TypedTime(
            clock: nil,
            usesMachineClock: true,
            now: now,
            zones: LocalZone(localRules: rules)
        )
    }

    @Test(
        "has this machine's offset at that time if the salon has no time zone",
        arguments: [
            ("2026-05-01 10:30", "2026-05-01T10:30:00+02:00"),
            ("2026-12-01 10:30:05", "2026-12-01T10:30:05+01:00"),
            ("2026-03-29 01:59", "2026-03-29T01:59:00+01:00"),
            ("2026-03-29 03:00", "2026-03-29T03:00:00+02:00"),
            ("2026-10-25 01:59", "2026-10-25T01:59:00+02:00"),
            ("2026-10-25 03:00", "2026-10-25T03:00:00+01:00"),
            ("2026-10-25 02:30+0100", "2026-10-25 02:30+0100"),
            ("2026-05-01T10:30Z", "2026-05-01T10:30Z"), ("tomorrow", nil),
            ("tomorrow 9:00", "2026-03-30T09:00:00+02:00"),
            // March 29 is a Sunday, and the clock shows 00:30.
            ("Sunday 0:31", "2026-03-29T00:31:00+01:00"),
            ("sun 0:30", "2026-04-05T00:30:00+02:00"),
        ] as [(String, String?)]
    )
    func withoutZone(typed: String, given: String?) throws {
        let times = try machineTimes()
        #expect(try times.time(typed, for: "start") == given)
        #expect(try times.bound(typed, for: "end") == given ?? typed)
    }

    @Test(
        "that this machine's clock skips or shows twice is an error with the possible times",
        arguments: [
            ("2026-03-29 02:00", "does not exist in this machine", "2026-03-29T03:00:00+02:00"),
            ("2026-03-29T02:59:59", "does not exist", "2026-03-29T01:59:59+01:00"),
            ("today 2:30", "does not exist", "2026-03-29T03:30:00+02:00"),
            ("2026-10-25 02:00", "occurs twice in this machine", "2026-10-25T02:00:00+02:00"),
            ("2026-10-25T02:59:59", "occurs twice", "2026-10-25T02:59:59+01:00"),
        ]
    )
    func notUnique(typed: String, reason: String, candidate: String) throws {
        let times = try machineTimes()
        for read in [times.time, times.bound] {
            let error = commandError { _ = try read(typed, "start") }
            #expect(error?.exitCode == .usage && error?.message.contains(reason) == true)
            #expect(
                error?.suggestions.contains { $0.contains(candidate) } == true,
                "\(error as Any)"
            )
        }
    }

    @Test(
        "can be only a day, which the method reads on the clock of each salon",
        arguments: ["today", "Thursday", "thu", "TOMORROW", "2026-03-28"]
    )
    func days(typed: String) throws {
        for times in [try times("Europe/Berlin"), try machineTimes()] {
            #expect(times.isDay(typed))
            #expect(try times.bound(typed, for: "end") == typed)
            let range = try #require(times.dayFrom(typed))
            #expect(range == (typed, typed))
        }
        #expect(!(try machineTimes().isDay("someday")))
    }

    @Test(
        "is the start of a range that ends at the same time on the next day",
        arguments: [
            ("2026-05-01T10:30:00", "2026-05-02T10:30:00"),
            ("2026-05-01T10:30:00+0200", "2026-05-02T10:30:00+0200"),
            ("2026-12-31T10:30:00Z", "2027-01-01T10:30:00Z"), ("2026-05-01", "2026-05-01"),
        ]
    )
    func dayFrom(from: String, to: String) throws {
        let range = try #require(try times("Europe/Berlin").dayFrom(from))
        #expect(range == (from, to))
        // A time of the next day can be typed, but not one of the day after that.
        let relative = try #require(try times("Europe/Berlin").dayFrom("tomorrow 9:00"))
        #expect(relative == ("2026-03-30T09:00:00", "2026-03-31T09:00:00"))
    }
}
