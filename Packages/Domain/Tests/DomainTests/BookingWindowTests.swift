import DomainTestSupport
import Testing

@testable import Domain

@Suite("The times that are neither too early nor too late")
struct BookingWindowTests {
    private func rule(
        _ instant: Timestamp,
        now: Timestamp,
        on clock: SalonClock = .offset(minutes: 0),
        lead: Int = 0,
        furthest: Int? = nil
    ) -> BlockingRule? {
        var salon = Samples.salon()
        (salon.leadMinutes, salon.furthestDays) = (lead, furthest)
        var window = BookingWindow(of: salon, on: clock, now: now)
        let rule = window.rule(blocking: instant)
        let isContained = window.contains(instant)
        #expect(isContained == (rule == nil))
        return rule
    }

    private func at(_ seconds: Int64) -> Timestamp { Timestamp(secondsSince1970: seconds) }

    @Test("begin one second after now, or with the lead time")
    func beginning() {
        #expect(rule(at(999), now: at(1_000)) == .past)
        #expect(rule(at(1_000), now: at(1_000)) == .past)
        #expect(rule(at(1_001), now: at(1_000)) == nil)
        #expect(rule(at(1_000), now: at(1_000), lead: 1) == .past)
        #expect(rule(at(1_001), now: at(1_000), lead: 1) == .tooSoon(leadMinutes: 1))
        #expect(rule(at(1_059), now: at(1_000), lead: 1) == .tooSoon(leadMinutes: 1))
        #expect(rule(at(1_060), now: at(1_000), lead: 1) == nil)
        #expect(rule(at(1_001), now: at(1_000), lead: -1) == nil)
    }

    @Test("end with the furthest day on the salon's clock", arguments: [0, 1, 2, 3, 400])
    func end(days: Int) throws {
        let berlin = try SampleZones.berlin()
        let clock = SalonClock.zone(berlin.id, berlin.rules)
        let today = try #require(CalendarDate(year: 2026, month: 3, day: 28))
        let next = LocalTime(today.advanced(byDays: days + 1), TimeOfDay(minuteOfDay: 0))
        let end = clock.reading(of: next).first
        for minute in [1, 1_439] {
            let local = LocalTime(today, TimeOfDay(minuteOfDay: minute))
            let now = clock.reading(of: local).first
            let last = end.advanced(bySeconds: -1)
            #expect(rule(last, now: now, on: clock, furthest: days) == nil)
            let tooFar = rule(end, now: now, on: clock, furthest: days)
            let lastDay = today.advanced(byDays: days)
            #expect(tooFar == .tooFarAhead(furthestDays: days, last: lastDay))
        }
    }

    @Test("end at midnight if the clock skips the day after the furthest one, or the furthest one")
    func skippedDay() throws {
        let samoa = try SampleZones.samoa()
        let clock = SalonClock.zone(samoa.id, samoa.rules)
        let midnight = at(1_325_239_200)  // The 29th ends, and the 31st begins.
        let now = midnight.advanced(bySeconds: -3_600)
        for days in [0, 1] {
            #expect(
                rule(midnight.advanced(bySeconds: -1), now: now, on: clock, furthest: days) == nil
            )
            #expect(rule(midnight, now: now, on: clock, furthest: days) != nil)
        }
        #expect(rule(midnight, now: now, on: clock, furthest: 2) == nil)
        let next = midnight.advanced(bySeconds: 86_400)
        #expect(rule(next.advanced(bySeconds: -1), now: now, on: clock, furthest: 2) == nil)
        #expect(rule(next, now: now, on: clock, furthest: 2) != nil)
    }

    @Test("are found without a trap for any numbers")
    func extremes() {
        for instant in [at(.min), at(0), at(.max)] {
            for now in [at(.min), at(0), at(.max)] {
                for number in [Int.min, -1, 0, .max] {
                    _ = rule(instant, now: now, lead: number, furthest: number)
                }
            }
        }
    }
}
