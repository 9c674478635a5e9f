import Domain
import DomainTestSupport
import Testing

@Suite("The slots of different ranges")
struct SlotRangeTests {
    private let now = Timestamp(secondsSince1970: 1_767_225_600)  // 2026-01-01T00:00:00Z

    /// A salon that is open from 20:00 to 05:00.
    private func schedule(on clock: SalonClock) -> Schedule {
        var salon = Samples.salon()
        salon.slotMinutes = 45
        salon.hours = OpeningHours(
            opens: TimeOfDay(minuteOfDay: 1_200),
            closes: TimeOfDay(minuteOfDay: 300)
        )
        return Schedule(of: salon, on: clock)
    }

    private func slots(_ schedule: Schedule, _ from: Timestamp, hours: Int64) -> [Slot] {
        schedule.slots(from: from, to: from.advanced(bySeconds: hours * 3_600), now: now)
    }

    @Test("short ranges have the slots of a long one with a clock change", arguments: [3, 10])
    func parts(month: Int) throws {
        let berlin = try SampleZones.berlin()
        let schedule = schedule(on: .zone(berlin.id, berlin.rules))
        let start = schedule.clock.reading(of: try .at(2026, month, 12)).first
        let parts = (0..<124).flatMap { part in
            slots(schedule, start.advanced(bySeconds: part * 6 * 3_600), hours: 6)
        }
        #expect(parts == slots(schedule, start, hours: 744))
        #expect(Set(parts.map(\.start.offsetMinutes)) == [60, 120])
        #expect(parts.allSatisfy { schedule.rule(blocking: $0.start.instant, now: now) == nil })
    }

    @Test("a UTC offset with seconds applies to the opening hours")
    func offsetWithSeconds() throws {
        let zone = try #require(ZoneID("Europe/Berlin"))
        let rules = ZoneRules(firstOffsetSeconds: 3_208, transitions: [], tail: nil)
        let schedule = schedule(on: .zone(zone, try #require(rules)))
        let day = slots(schedule, now.advanced(bySeconds: 43_200), hours: 24)
        #expect(day.count == 12)
        #expect(day.first?.start.instant == now.advanced(bySeconds: 20 * 3_600 - 3_208))
        #expect(day.allSatisfy { schedule.rule(blocking: $0.start.instant, now: now) == nil })
    }
}
