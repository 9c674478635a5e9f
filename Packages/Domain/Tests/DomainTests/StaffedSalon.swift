import Domain
import DomainTestSupport

/// A salon that is open from 09:00 to 18:00 in UTC, with a grid of 30 minutes.
enum StaffedSalon {
    /// 2026-03-24T00:00:00Z, a Tuesday.
    static let day = Timestamp(secondsSince1970: 1_774_310_400)
    /// A day earlier.
    static let now = day.advanced(bySeconds: -86_400)

    static func hours(_ opens: Int, _ closes: Int) -> OpeningHours {
        OpeningHours(
            opens: TimeOfDay(minuteOfDay: opens * 60),
            closes: TimeOfDay(minuteOfDay: closes * 60)
        )
    }

    static func everyDay(_ hours: OpeningHours...) -> WeeklyHours {
        WeeklyHours(Dictionary(uniqueKeysWithValues: Weekday.allCases.map { ($0, hours) }))
    }

    /// A haircut takes 30 minutes. Color takes 60, with buffers of 10 and 20 minutes.
    static func salon(_ staff: StaffMember...) -> Salon {
        var salon = Samples.salon()
        salon.hours = hours(9, 18)
        salon.services = [
            Service(id: "cut", name: "Haircut", minutes: 30),
            Service(id: "color", name: "Color", minutes: 60, bufferBefore: 10, bufferAfter: 20),
        ]
        salon.staff = staff
        return salon
    }

    static let ana = StaffMember(id: "ana", name: "Ana")
    static let ben = StaffMember(id: "ben", name: "Ben", services: ["cut"])

    static func at(_ hour: Int64, _ minute: Int64 = 0) -> Timestamp {
        day.advanced(bySeconds: hour * 3_600 + minute * 60)
    }

    static func busy(
        _ start: Timestamp,
        _ minutes: Int64 = 30,
        staff: String? = nil,
        seats: Int = 1
    ) -> BusyInterval {
        let end = start.advanced(bySeconds: minutes * 60)
        return BusyInterval(start: start, end: end, staffID: staff, seats: seats)
    }
}

extension Schedule {
    /// What is chosen if nothing is taken in the week of `start` but what is in `busy`.
    func allocation(
        for requirement: Requirement,
        at start: Timestamp,
        busy: [BusyInterval],
        preferring preferred: String? = nil
    ) -> Allocation? {
        allocation(for: requirement, at: start, busy: busy, preferring: preferred) {
            Schedule.work(in: $0, of: busy)
        }
    }
}

extension Salon {
    /// The schedule on the clock of UTC.
    var schedule: Schedule { Schedule(of: self, on: .offset(minutes: 0)) }
}
