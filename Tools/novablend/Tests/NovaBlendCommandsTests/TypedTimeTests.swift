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
            ("2026-05-01T10:30", "2026-05-01T10:30:00"),
            ("2026-05-01 10:30", "2026-05-01T10:30:00"),
            ("2026-05-01t10:30:05", "2026-05-01T10:30:05"), ("today 09:00", "2026-03-29T09:00:00"),
            ("Tomorrow 09:00", "2026-03-30T09:00:00"),
            ("2026-05-01T10:30+0200", "2026-05-01T10:30:00+0200"),
            ("2026-05-01T10:30:00Z", "2026-05-01T10:30:00Z"),
            ("2026-05-01", "2026-05-01T00:00:00+0200"), ("noon", "noon"),
            ("today", "2026-03-29T00:00:00+0100"),
            ("2026-13-01 10:30", "2026-13-01 10:30"), ("today 10", "today 10"),
        ]
    )
    func onClock(typed: String, given: String) throws {
        #expect(try times("Europe/Berlin").time(typed, for: "start") == given)
    }

    /// For a salon without a time zone, on a machine in this zone.
    private func machineTimes(_ zone: String) throws -> TypedTime {
        let id = try #require(ZoneID(zone))
        let rules = try #require(ZoneDirectory().rules(of: id))
        return TypedTime(clock: nil, now: now, machine: { .zone(id, rules) })
    }

    @Test(
        "has this machine's offset at that time if the salon has no time zone",
        arguments: [
            ("2026-05-01 10:30", "2026-05-01T10:30:00+0200"),
            ("2026-12-01 10:30:05", "2026-12-01T10:30:05+0100"),
            ("2026-03-29 01:59", "2026-03-29T01:59:00+0100"),
            ("2026-03-29 03:00", "2026-03-29T03:00:00+0200"),
            ("2026-10-25 01:59", "2026-10-25T01:59:00+0200"),
            ("2026-10-25 03:00", "2026-10-25T03:00:00+0100"),
            ("2026-10-25 02:30+0100", "2026-10-25T02:30:00+0100"),
            ("2026-05-01T10:30Z", "2026-05-01T10:30:00Z"),
            ("tomorrow 09:00", "2026-03-30T09:00:00+0200"),
            ("2026-02-30 10:30", "2026-02-30 10:30"),
        ]
    )
    func withoutZone(typed: String, given: String) throws {
        let times = try machineTimes("Europe/Berlin")
        #expect(try times.time(typed, for: "start") == given)
        #expect(try times.endTime(typed, for: "end") == given)
    }

    @Test("is left to the method if this machine does not know the salon's time zone")
    func unknownZone() throws {
        let times = TypedTime(clock: nil, statesZone: true, now: now)
        #expect(try times.time("2026-05-01 10:30", for: "start") == "2026-05-01T10:30:00")
    }

    @Test(
        "that this machine's clock skips or shows twice is an error with the possible times",
        arguments: [
            ("2026-03-29 02:00", "does not exist in Europe/Berlin", "2026-03-29T03:00:00+02:00"),
            ("2026-03-29T02:59:59", "does not exist", "2026-03-29T01:59:59+01:00"),
            ("today 02:30", "does not exist", "2026-03-29T03:30:00+02:00"),
            ("2026-10-25 02:00", "occurs twice in Europe/Berlin", "2026-10-25T02:00:00+02:00"),
            ("2026-10-25T02:59:59", "occurs twice", "2026-10-25T02:59:59+01:00"),
        ]
    )
    func notUnique(typed: String, reason: String, candidate: String) throws {
        let times = try machineTimes("Europe/Berlin")
        for read in [times.time, times.endTime] {
            let error = commandError { _ = try read(typed, "start") }
            #expect(error?.exitCode == .usage && error?.message.contains(reason) == true)
            #expect(
                error?.suggestions.contains { $0.contains(candidate) } == true,
                "\(error as Any)"
            )
        }
    }

    @Test(
        "that is only a day becomes a range from its beginning to the next day"
    )
    func days() throws {
        let berlin = try #require(try times("Europe/Berlin").range(of: "today"))
        #expect(berlin == ("2026-03-29T00:00:00+0100", "2026-03-30T00:00:00+0200"))
        // In Beirut, clocks go forward at midnight of this day.
        let beirut = try #require(try times("Asia/Beirut").range(of: "2026-03-29"))
        #expect(beirut == ("2026-03-29T01:00:00+0300", "2026-03-30T00:00:00+0300"))
        #expect(try times("Europe/Berlin").range(of: "someday") == nil)
        let week = try #require(try times("Europe/Berlin").range(of: "2026-03-28", days: 7))
        #expect(week == ("2026-03-28T00:00:00+0100", "2026-04-04T00:00:00+0200"))
    }

    @Test(
        "that ends a range means the end of a day, or the time itself",
        arguments: [
            ("2026-03-28", "2026-03-29T00:00:00+0100"), ("2026-03-29", "2026-03-30T00:00:00+0200"),
            ("today", "2026-03-30T00:00:00+0200"), ("TOMORROW", "2026-03-31T00:00:00+0200"),
            ("today 09:00", "2026-03-29T09:00:00"), ("noon", "noon"),
            ("2026-05-01T10:30+0200", "2026-05-01T10:30:00+0200"),
        ]
    )
    func endTime(typed: String, given: String) throws {
        #expect(try times("Europe/Berlin").endTime(typed, for: "end") == given)
    }

    @Test(
        "is the start of a range that ends at the same time on the next day",
        arguments: [
            ("2026-05-01T10:30:00", "2026-05-02T10:30:00"),
            ("2026-05-01T10:30:00+0200", "2026-05-02T10:30:00+0200"),
            ("2026-12-31T10:30:00Z", "2027-01-01T10:30:00Z"),
        ]
    )
    func dayFrom(from: String, to: String) throws {
        let range = try #require(try times("Europe/Berlin").dayFrom(from))
        #expect(range == (from, to))
    }
}
