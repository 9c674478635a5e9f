import DomainTestSupport
import Testing

@testable import Domain

/// A salon in Berlin that is open from 9 to 12, with an appointment each hour, in December 2026. It is
/// Tuesday, 2026-12-01, 10:00.
@Suite("Free times instead of one that cannot be booked")
struct AlternativeSearchTests {
    private func schedule(_ set: (inout Salon) throws -> Void = { _ in }) throws -> Schedule {
        var salon = Samples.salon()
        salon.slotMinutes = 60
        salon.hours = StaffedSalon.hours(9, 12)
        let berlin = try SampleZones.berlin()
        salon.timeZone = berlin.id
        try set(&salon)
        return Schedule(of: salon, on: .zone(berlin.id, berlin.rules))
    }

    private func instant(_ day: Int, _ hour: Int, month: Int = 12) throws -> Timestamp {
        let berlin = try SampleZones.berlin()
        let clock = SalonClock.zone(berlin.id, berlin.rules)
        return clock.reading(of: try .at(2026, month, day, hour)).first
    }

    /// The alternatives to a time as text, such as `24 09:00`.
    private func alternatives(
        _ schedule: Schedule,
        to instant: Timestamp,
        busy: [BusyInterval] = []
    ) throws -> [String] {
        let now = try self.instant(1, 10)
        let found = schedule.alternatives(to: instant, busy: busy, now: now)
        for time in found {
            #expect(schedule.rule(blocking: time.instant, busy: busy, now: now) == nil)
        }
        return found.map { "\($0.localTime.date.description.suffix(2)) \($0.timeOfDay)" }
    }

    private func closed(_ days: ClosedRange<Int>) throws -> [OpeningException] {
        try days.map { day in
            let date = try #require(CalendarDate(year: 2026, month: 12, day: 1))
            return OpeningException(date: date.advanced(byDays: day - 1), hours: [])
        }
    }

    @Test("are the next three, if one of them is on the same day")
    func sameDay() throws {
        let schedule = try schedule()
        #expect(
            try alternatives(schedule, to: instant(3, 10)) == ["03 11:00", "04 09:00", "04 10:00"]
        )
        let busy = [BusyInterval(start: try instant(3, 10), end: try instant(3, 11))]
        let found = try alternatives(schedule, to: instant(3, 9), busy: busy)
        #expect(found == ["03 11:00", "04 09:00", "04 10:00"])
    }

    @Test("are also the last three before it, if no later one is on the same day")
    func mornings() throws {
        let schedule = try schedule { $0.exceptions = try closed(25...27) }
        let before = ["24 09:00", "24 10:00", "24 11:00"]
        let after = ["28 09:00", "28 10:00", "28 11:00"]
        for hour in [0, 10, 23] {
            #expect(try alternatives(schedule, to: instant(25, hour)) == before + after)
        }
        #expect(
            try alternatives(schedule, to: instant(24, 11)) == [
                "23 11:00", "24 09:00", "24 10:00",
            ] + after
        )
    }

    @Test("begin when the lead time allows it, and end with the furthest day")
    func window() throws {
        let notice = try schedule { $0.leadMinutes = 3 * 1_440 }
        #expect(
            try alternatives(notice, to: instant(2, 9)) == ["04 10:00", "04 11:00", "05 09:00"]
        )
        let horizon = try schedule { $0.furthestDays = 7 }
        #expect(
            try alternatives(horizon, to: instant(20, 9)) == ["08 09:00", "08 10:00", "08 11:00"]
        )
        let none = try schedule { ($0.leadMinutes, $0.furthestDays) = (8 * 1_440, 7) }
        #expect(try alternatives(none, to: instant(3, 9)) == [])
    }

    @Test("begin after the days on which the salon is closed, however many there are")
    func closedDays() throws {
        let short = try schedule { $0.exceptions = try closed(2...4) }
        #expect(
            try alternatives(short, to: instant(2, 9)) == [
                "01 11:00", "05 09:00", "05 10:00", "05 11:00",
            ]
        )
        let long = try schedule { $0.exceptions = try closed(2...62) }
        #expect(
            try alternatives(long, to: instant(2, 9)) == [
                "01 11:00", "01 09:00", "01 10:00", "01 11:00",
            ]
        )
        let never = try schedule { $0.weekly = WeeklyHours() }
        #expect(try alternatives(never, to: instant(2, 9)) == [])
    }

    @Test("cover 31 days from the first possible time, in both directions, and nothing in the past")
    func days() throws {
        let schedule = try schedule()
        func wholeDay(_ day: Int) throws -> BusyInterval {
            let start = try instant(1, 0).advanced(bySeconds: Int64(day - 1) * 86_400)
            return BusyInterval(start: start, end: start.advanced(bySeconds: 86_400))
        }
        func taken(except free: [Int]) throws -> [BusyInterval] {
            try (1...120).filter { !free.contains($0) }.map(wholeDay)
        }
        // The search begins at 11 on the 2nd. 31 days later, it is the 33rd.
        let last = try alternatives(schedule, to: instant(2, 10), busy: taken(except: [33]))
        #expect(last == ["02 09:00", "02 10:00"])
        #expect(try alternatives(schedule, to: instant(2, 10), busy: taken(except: [34])) == [])
        // The search before the 62nd begins at 9 on that day.
        let early = try alternatives(
            schedule,
            to: instant(1, 10).advanced(bySeconds: 61 * 86_400),
            busy: taken(except: [31])
        )
        #expect(early == ["31 10:00", "31 11:00"])
        let today = try alternatives(schedule, to: instant(2, 9), busy: taken(except: [1]))
        #expect(today == ["01 11:00"])
    }

    @Test("ask for the nearest ranges first, and for no more than are needed")
    func ranges() throws {
        let time = AppointmentTime(instant: try instant(10, 9), offsetMinutes: 60)
        let hour: Int64 = 3_600
        func at(_ hours: Int64) -> AppointmentTime {
            AppointmentTime(
                instant: time.instant.advanced(bySeconds: hours * hour),
                offsetMinutes: 60
            )
        }
        func lengths(_ answers: [[Int64]]) throws -> [Int64] {
            var search = AlternativeSearch(around: time, now: try instant(1, 10))
            var (answers, days): ([[Int64]], [Int64]) = (answers, [])
            while let range = search.nextRange {
                let seconds = range.upperBound.seconds(since: range.lowerBound)
                days.append(search.looksBack ? -seconds / 86_400 : seconds / 86_400)
                #expect((search.enough == nil) == search.looksBack)
                search.add(answers.isEmpty ? [] : answers.removeFirst().map(at))
            }
            return days
        }
        #expect(try lengths([[1, 2, 3]]) == [2])
        #expect(try lengths([[1, 2], [100]]) == [2, 29])
        #expect(try lengths([[24, 25, 26], [-3, -2, -1]]) == [2, -2])
        // Only nine days are left before the time.
        #expect(try lengths([]) == [2, 29, -2, -6])
    }

    @Test("do not delay others if thousands of people work at a salon")
    func manyPeople() throws {
        let schedule = try schedule { salon in
            salon.slotMinutes = 5
            salon.staff = (0..<2_000).map { StaffMember(id: "p\($0)", name: "P") }
        }
        let requirement = try schedule.requirement(for: BookingOptions())
        let now = try instant(1, 10)
        var search = schedule.alternativeSearch(around: now, for: requirement, now: now)
        let range = try #require(search.nextRange)
        let found = schedule.free(in: range, of: search, for: requirement, busy: [], now: now)
        // 24 on the first day, and 36 on each of the next two, without those that end too late.
        #expect(found.count <= 250 && found.count >= 3)
        search.add(found)
        #expect(search.times.count == 3 && search.nextRange == nil)
    }

    @Test("are found at the earliest and the latest instants without a trap")
    func extremes() throws {
        let schedule = try schedule()
        for seconds in [Int64.min, -1, 0, .max - 1, .max] {
            let instant = Timestamp(secondsSince1970: seconds)
            _ = schedule.alternatives(to: instant, now: try self.instant(1, 10))
            _ = schedule.alternatives(to: try self.instant(1, 10), now: instant)
            var search = AlternativeSearch(around: AppointmentTime(instant: instant), now: instant)
            while search.nextRange != nil { search.add([]) }
            #expect(search.times.isEmpty)
        }
    }
}
