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
        "is converted to a complete time, on the salon's clock unless it has an offset",
        arguments: [
            ("2026-05-01T9:30", "2026-05-01T09:30:00"), ("tomorrow 9:00", "2026-03-30T09:00:00"),
            ("2026-05-01T10:30", "2026-05-01T10:30:00"),
            ("2026-05-01 10:30", "2026-05-01T10:30:00"),
            ("2026-05-01t10:30:05", "2026-05-01T10:30:05"), ("today 09:00", "2026-03-29T09:00:00"),
            ("today 9:00:05+02:00", "2026-03-29T09:00:05+02:00"),
            ("Tomorrow 09:00", "2026-03-30T09:00:00"),
            ("2026-05-01T10:30+0200", "2026-05-01T10:30:00+0200"),
            ("2026-05-01T10:30:00Z", "2026-05-01T10:30:00Z"),
            // March 29 is a Sunday, and the clock shows 00:30.
            ("mon 9:00", "2026-03-30T09:00:00"), ("Sunday 0:31", "2026-03-29T00:31:00"),
            ("sun 0:30", "2026-04-05T00:30:00"), ("saturd 23:59", "2026-04-04T23:59:00"),
        ]
    )
    func onClock(typed: String, given: String) throws {
        #expect(try times("Europe/Berlin").time(typed, for: "start") == given)
    }

    @Test(
        "must have a day and a time of day",
        arguments: [
            "noon", "today", "mon", "2026-05-01", "2026-13-01 10:30", "today 10", "10:30",
            "mo 9:00",
            "mondayy 9:00", "today 24:00", "today 009:00", "today :00", "",
        ]
    )
    func incomplete(typed: String) throws {
        #expect(try times("Europe/Berlin").time(typed, for: "start") == nil)
    }

    /// The zone of a machine in Berlin.
    private struct LocalZone: ZoneSource {
        let localRules: ZoneRules?

        func rules(of zone: ZoneID) -> ZoneRules? { nil }
    }

    /// For a salon without a time zone, on a machine in Berlin.
    private func machineTimes() throws -> TypedTime {
        let rules = ZoneDirectory().rules(of: try #require(ZoneID("Europe/Berlin")))
        return TypedTime(clock: nil, now: now, zones: LocalZone(localRules: rules))
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
            ("2026-10-25 02:30+0100", "2026-10-25T02:30:00+0100"),
            ("2026-05-01T10:30Z", "2026-05-01T10:30:00Z"),
            ("tomorrow 9:00", "2026-03-30T09:00:00+02:00"),
        ]
    )
    func withoutZone(typed: String, given: String) throws {
        let times = try machineTimes()
        #expect(try times.time(typed, for: "start") == given)
        #expect(try times.endTime(typed, for: "end") == given)
        let day = try #require(times.range(of: "today"))
        #expect(day == ("2026-03-29T00:00:00+0100", "2026-03-30T00:00:00+0200"))
    }

    @Test("is left to the method if this machine does not know the salon's time zone")
    func unknownZone() throws {
        let times = TypedTime(clock: nil, statesZone: true, now: now)
        #expect(try times.time("2026-05-01 10:30", for: "start") == "2026-05-01T10:30:00")
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
        for read in [times.time, times.startTime, times.endTime] {
            let error = commandError { _ = try read(typed, "start") }
            #expect(error?.exitCode == .usage && error?.message.contains(reason) == true)
            #expect(
                error?.suggestions.contains { $0.contains(candidate) } == true,
                "\(error as Any)"
            )
        }
    }

    @Test(
        "that is only a day is a range of dates, or of times if the salon has no time zone"
    )
    func days() throws {
        let berlin = try #require(try times("Europe/Berlin").range(of: "today"))
        #expect(berlin == ("2026-03-29", "2026-03-29"))
        let monday = try #require(try times("Europe/Berlin").range(of: "Mon"))
        #expect(monday == ("2026-03-30", "2026-03-30"))
        let sunday = try #require(try times("Europe/Berlin").range(of: "sun"))
        #expect(sunday == berlin)
        #expect(try times("Europe/Berlin").range(of: "someday") == nil)
        let week = try #require(try times("Europe/Berlin").range(of: "2026-03-28", days: 7))
        #expect(week == ("2026-03-28", "2026-04-03"))
    }

    @Test(
        "that ends a range means the end of a day, or the time itself",
        arguments: [
            ("2026-03-28", "2026-03-28"), ("today", "2026-03-29"), ("TOMORROW", "2026-03-30"),
            ("today 09:00", "2026-03-29T09:00:00"), ("noon", nil),
            ("2026-05-01T10:30+0200", "2026-05-01T10:30:00+0200"),
        ] as [(String, String?)]
    )
    func endTime(typed: String, given: String?) throws {
        #expect(try times("Europe/Berlin").endTime(typed, for: "end") == given)
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
    }
}
