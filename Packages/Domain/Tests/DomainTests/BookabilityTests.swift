import Domain
import Testing

@Suite("What can never be booked")
struct BookabilityTests {
    private typealias Change = (inout Salon) -> Void

    private static let nine = OpeningHours(
        opens: TimeOfDay(minuteOfDay: 540),
        closes: TimeOfDay(minuteOfDay: 1_080)
    )
    private static func hours(_ opens: Int, _ closes: Int) -> OpeningHours {
        OpeningHours(
            opens: TimeOfDay(minuteOfDay: opens),
            closes: TimeOfDay(minuteOfDay: closes)
        )
    }
    private static let today = CalendarDate(daysSince1970: 20_000)

    /// The problems of a salon that is open from 09:00 to 18:00, with 30 minutes for an appointment.
    private func problems(_ change: (inout Salon) -> Void) -> [Bookability.Problem] {
        var salon = Salon(
            id: SalonID(high: 0, low: 1),
            name: "A",
            location: "B",
            hours: Self.nine,
            slotMinutes: 30
        )
        change(&salon)
        return Bookability(of: salon, from: Self.today).problems
    }

    private func member(_ id: String, services: [String]? = nil, _ hours: OpeningHours? = nil)
        -> StaffMember
    {
        let weekly = hours.map { hours in
            WeeklyHours(Dictionary(uniqueKeysWithValues: Weekday.allCases.map { ($0, [hours]) }))
        }
        return StaffMember(id: id, name: id, services: services, weekly: weekly)
    }

    @Test("is nothing at an ordinary salon, with and without services and staff")
    func ordinary() {
        #expect(problems { _ in } == [])
        #expect(problems { $0.slotMinutes = nil } == [])
        let found = problems {
            $0.services = [Service(id: "cut", name: "Cut", minutes: 540)]
            $0.staff = [member("a"), member("b", services: ["cut"], Self.nine)]
        }
        #expect(found == [])
    }

    @Test("is everything while the salon is never open, unless an exception to come opens it")
    func neverOpen() {
        #expect(problems { $0.weekly = WeeklyHours() } == [.neverOpen])
        for (day, isOpen) in [(0, true), (400, true), (-1, false)] {
            let found = problems {
                $0.weekly = WeeklyHours()
                let date = Self.today.advanced(byDays: day)
                $0.exceptions = [OpeningException(date: date, hours: [Self.nine])]
            }
            #expect(found == (isOpen ? [] : [.neverOpen]))
        }
        let closed = problems {
            let last = Self.today.advanced(byDays: 700)
            $0.exceptions = [OpeningException(dates: Self.today...last, hours: [])]
        }
        #expect(closed == [])
    }

    @Test(
        "is everything if the notice is longer than the time that can be booked",
        arguments: [
            (0, 0, true), (1_080 - 30, 0, true), (1_080 - 29, 0, false), (1_440, 1, true),
            (1_440 + 1_050, 1, true), (1_440 + 1_051, 1, false), (2_880, 1, false),
            (43_200, 30, true), (50_000, 30, false), (527_040, 366, true), (527_040, 30, false),
        ]
    )
    func notice(lead: Int, furthest: Int, isPossible: Bool) {
        let found = problems { ($0.leadMinutes, $0.furthestDays) = (lead, furthest) }
        let problem = Bookability.Problem.noticeExceedsHorizon(
            leadMinutes: lead,
            furthestDays: furthest
        )
        #expect(found == (isPossible ? [] : [problem]))
        #expect(problems { $0.leadMinutes = lead } == [])
    }

    @Test("is what is longer than each opening")
    func tooLong() {
        let short = problems { $0.hours = Self.hours(540, 560) }
        #expect(short == [.appointmentTooLong(minutes: 30, longest: 20)])
        let services = problems {
            $0.services = [
                Service(id: "a", name: "A", minutes: 540),
                Service(id: "b", name: "B", minutes: 545),
            ]
        }
        #expect(services == [.serviceTooLong(1, longest: 540)])
    }

    @Test(
        "is a service that no one offers, or has time for, and who does not work or offer anything"
    )
    func staff() {
        let found = problems {
            $0.services = [
                Service(id: "a", name: "A", minutes: 30), Service(id: "b", name: "B", minutes: 120),
                Service(id: "c", name: "C", minutes: 30),
            ]
            $0.staff = [
                member("x", services: ["a"]),
                member("y", services: ["b"], Self.hours(1_020, 1_140)),
                member("z", services: ["a"], Self.hours(1_080, 1_140)), member("w", services: []),
            ]
        }
        #expect(
            found == [
                .serviceWithoutTime(1), .serviceWithoutStaff(2), .staffWithoutTime(2),
                .staffWithoutServices(3),
            ]
        )
        let alone = problems { $0.staff = [member("x", Self.hours(540, 550))] }
        #expect(alone == [.noOneWorksLongEnough(minutes: 30)])
    }

    @Test("prevents every booking only if it concerns all services")
    func fatal() {
        var salon = Salon(id: SalonID(high: 0, low: 1), name: "A", location: "B", hours: Self.nine)
        salon.services = [
            Service(id: "a", name: "A", minutes: 30), Service(id: "b", name: "B", minutes: 30),
        ]
        salon.staff = [member("x", services: ["a"]), member("y", services: [])]
        let some = Bookability(of: salon, from: Self.today)
        #expect(some.problems == [.serviceWithoutStaff(1), .staffWithoutServices(1)])
        #expect(some.fatal(among: some.problems) == [])
        salon.staff.removeFirst()
        let withoutService = Bookability(of: salon, from: Self.today)
        #expect(withoutService.fatal(among: withoutService.problems) == [])
        salon.staff = [member("y", services: [], Self.hours(540, 550))]
        let all = Bookability(of: salon, from: Self.today)
        #expect(
            all.fatal(among: all.problems) == [.serviceWithoutStaff(0), .serviceWithoutStaff(1)]
        )
    }
}
