import DomainTestSupport
import Testing

@testable import Domain

@Suite("The times at which a salon is open or a staff member works")
struct OpeningTimesTests {
    private func hours(_ opens: Int, _ closes: Int) -> OpeningHours {
        OpeningHours(
            opens: TimeOfDay(minuteOfDay: opens * 60),
            closes: TimeOfDay(minuteOfDay: closes * 60)
        )
    }

    /// A time on 2026-03-24, which is a Tuesday, in UTC.
    private func at(_ hour: Int64, _ seconds: Int64 = 0) -> Timestamp {
        Timestamp(secondsSince1970: 1_774_310_400 + hour * 3_600 + seconds)
    }

    private func times(
        _ weekly: [Weekday: [OpeningHours]],
        exceptions: [OpeningException] = [],
        isMember: Bool = false
    ) -> OpeningTimes {
        var salon = Samples.salon()
        salon.weekly = WeeklyHours(weekly)
        salon.exceptions = exceptions
        let member = StaffMember(id: "a", name: "Ana", weekly: WeeklyHours(weekly))
        return OpeningTimes(
            salon: salon,
            member: isMember ? member : nil,
            clock: .offset(minutes: 0)
        )
    }

    private func exception(_ day: Int, _ hours: [OpeningHours]) throws -> OpeningException {
        let date = try #require(CalendarDate(year: 2026, month: 3, day: day))
        return OpeningException(date: date, hours: hours)
    }

    @Test("intervals that end before the range or start after it are left out, to the second")
    func bounds() {
        let times = times([.tuesday: [hours(9, 12), hours(14, 18)]])
        let (morning, afternoon) = (at(9)..<at(12), at(14)..<at(18))
        #expect(times.intervals(from: at(0), to: at(24)) == [morning, afternoon])
        #expect(times.intervals(from: at(12, -1), to: at(14, 1)) == [morning, afternoon])
        #expect(times.intervals(from: at(12), to: at(14)).isEmpty)
        #expect(times.intervals(from: at(12), to: at(14, 1)) == [afternoon])
        #expect(times.intervals(from: at(12, -1), to: at(14)) == [morning])
        #expect(times.intervals(from: at(10), to: at(11)) == [morning])
    }

    @Test("an instant is open from the first second of an interval to its last")
    func instants() {
        let times = times([.tuesday: [hours(9, 12), hours(12, 18)]])
        #expect(times.interval(at: at(9, -1)) == nil)
        #expect(times.interval(at: at(9)) == at(9)..<at(12))
        #expect(times.interval(at: at(12, -1)) == at(9)..<at(12))
        #expect(times.interval(at: at(12)) == at(12)..<at(18))
        #expect(times.interval(at: at(18, -1)) == at(12)..<at(18))
        #expect(times.interval(at: at(18)) == nil)
    }

    @Test("an interval ends when the next one starts")
    func overlapping() {
        let times = times([.tuesday: [hours(9, 15), hours(14, 18), hours(14, 20)]])
        let intervals = times.intervals(from: at(0), to: at(24))
        #expect(intervals == [at(9)..<at(14), at(14)..<at(20)])
    }

    @Test("hours past midnight end when the next day opens, and not on a closed day")
    func pastMidnight() throws {
        let weekly = [Weekday.tuesday: [hours(20, 4)], .wednesday: [hours(2, 6)]]
        let range = (at(0), at(48))
        let usual = times(weekly).intervals(from: range.0, to: range.1)
        #expect(usual == [at(20)..<at(26), at(26)..<at(30)])
        let closed = times(weekly, exceptions: [try exception(25, [])])
        #expect(closed.intervals(from: range.0, to: range.1) == [at(20)..<at(28)])
        let late = times(weekly, exceptions: [try exception(25, [hours(4, 5)])])
        #expect(
            late.intervals(from: range.0, to: range.1) == [at(20)..<at(28), at(28)..<at(29)]
        )
        let early = times(weekly, exceptions: [try exception(25, [hours(0, 1)])])
        #expect(
            early.intervals(from: range.0, to: range.1) == [at(20)..<at(24), at(24)..<at(25)]
        )
    }

    @Test("of several exceptions on one day the first one applies, even if it is closed")
    func severalExceptions() throws {
        let exceptions = [try exception(24, []), try exception(24, [hours(1, 2)])]
        let times = times([.tuesday: [hours(9, 12)]], exceptions: exceptions)
        #expect(times.intervals(from: at(0), to: at(24)).isEmpty)
    }

    @Test("adjacent hours are continuous, also across midnight, and each starts an interval")
    func adjacent() {
        let weekly = [
            Weekday.tuesday: [hours(9, 12), hours(12, 0)], .wednesday: [hours(0, 3), hours(4, 5)],
        ]
        for isMember in [false, true] {
            let times = times(weekly, isMember: isMember)
            let intervals = times.intervals(from: at(0), to: at(48))
            #expect(
                intervals == [at(9)..<at(12), at(12)..<at(24), at(24)..<at(27), at(28)..<at(29)]
            )
            let continuous = times.continuousIntervals(from: at(0), to: at(48))
            #expect(continuous == [at(9)..<at(27), at(28)..<at(29)])
            #expect(times.contain(from: at(9), to: at(27)))
            #expect(!times.contain(from: at(9), to: at(27, 1)))
            #expect(!times.contain(from: at(9, -1), to: at(10)))
            #expect(!times.contain(from: at(26), to: at(28, 1)))
        }
    }

    @Test("a length of time may continue in an adjacent interval, but not in a later one")
    func lengths() {
        let times = times([.tuesday: [hours(9, 12), hours(12, 14), hours(15, 18)]])
        #expect(times.contain(at(9), minutes: 300))
        #expect(!times.contain(at(9), minutes: 301))
        #expect(!times.contain(at(9, -1), minutes: 0))
        #expect(times.contain(at(14, -60), minutes: 1))
        #expect(times.contain(at(14, -1), minutes: 0))
        #expect(!times.contain(at(14), minutes: 0))
        #expect(times.contain(at(9), minutes: -5))
    }

    @Test(
        "the earliest and the latest instants are never open, and those of 1970 always are",
        arguments: [
            (Int64.min, false), (.min + 1, false), (-1, true), (0, true), (.max - 1, false),
            (.max, false),
        ]
    )
    func extremes(seconds: Int64, isOpen: Bool) {
        let always = hours(0, 0)
        let weekly = Dictionary(uniqueKeysWithValues: Weekday.allCases.map { ($0, [always]) })
        let instant = Timestamp(secondsSince1970: seconds)
        for isMember in [false, true] {
            let times = times(weekly, isMember: isMember)
            #expect(times.interval(at: instant)?.contains(instant) == (isOpen ? true : nil))
            #expect(times.contain(instant, minutes: .max) == isOpen)
        }
    }
}
