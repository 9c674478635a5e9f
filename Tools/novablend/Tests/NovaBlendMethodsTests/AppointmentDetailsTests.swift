import Domain
import Testing

@testable import NovaBlendMethods

@Suite("The details of an appointment in a question")
struct AppointmentDetailsTests {
    private struct Epoch: WallClock {
        var now: Timestamp { Timestamp(secondsSince1970: 0) }
    }

    private struct Directory: SalonDirectory {
        let lookup: SalonLookup
        func salon(_ id: SalonID) async -> SalonLookup { lookup }
        func reloadedSalon(_ id: SalonID) async -> SalonLookup { lookup }
    }

    private struct NoZones: ZoneSource {
        func rules(of id: ZoneID) -> ZoneRules? { nil }
    }

    private let id = SalonID(high: 1, low: 2)

    /// An appointment on Sunday, 2024-10-20 at 13:24:59 +0200.
    private var appointment: Appointment {
        Appointment(
            booking: BookingRequest(
                salonID: id,
                time: AppointmentTime(
                    instant: Timestamp(secondsSince1970: 1_729_423_499),
                    offsetMinutes: 120
                ),
                phone: "12345"
            )
        )
    }

    private func details(
        _ appointment: Appointment,
        slotMinutes: Int? = nil,
        isKnown: Bool = true
    ) async -> AppointmentDetails {
        let midnight = TimeOfDay(minuteOfDay: 0)
        let salon = Salon(
            id: id,
            name: "Nova\nTime: never",
            location: "Paris",
            hours: OpeningHours(opens: midnight, closes: midnight),
            slotMinutes: slotMinutes,
            services: [
                Service(
                    id: "cut",
                    name: "Cut",
                    minutes: 45,
                    price: Price(amount: 1_800, currency: "EUR")
                )
            ],
            staff: [StaffMember(id: "ana", name: "Ana")]
        )
        let directory = Directory(lookup: isKnown ? .known(salon) : .unknown)
        return AppointmentDetails(
            appointment: appointment,
            salon: await RequestedSalon(id, in: directory, zones: NoZones(), clock: Epoch())
        )
    }

    @Test("contain the service, the staff member, and the seats, each with the old value of a move")
    func options() async {
        var before = appointment
        before.booking.options = BookingOptions(serviceID: "cut", staffID: "ana", seats: 2)
        let lines = await details(before).lines()
        #expect(
            lines[2...] == ["Service: Cut, 18.00 EUR", "With: Ana", "Seats: 2", "Phone: 12345"]
        )
        var after = before
        after.booking.options = BookingOptions(serviceID: "color", staffID: nil, seats: 2)
        let moved = await details(after).lines(before: before)
        #expect(
            moved[3...] == [
                "Service: Cut, 18.00 EUR -> color", "Seats: 2", "With: Ana -> anyone",
                "Phone: 12345",
            ]
        )
        before.isStaffAssigned = true
        #expect(await details(before).lines()[3] == "With: Ana (assigned)")
    }

    @Test("contain the salon, the time with seconds and offset, and the phone number")
    func minimum() async {
        #expect(
            await details(appointment).lines() == [
                #"Salon: Nova\nTime: never, Paris"#, "Time: Sunday, 2024-10-20, 13:24:59 (+02:00)",
                "Phone: 12345",
            ]
        )
        let unknown = await details(appointment, isKnown: false).lines()
        #expect(unknown.first == "Salon: \(id) (name unknown)")
    }

    @Test(
        "contain the end if the salon states how long appointments last, with the day if it differs"
    )
    func end() async {
        let short = await details(appointment, slotMinutes: 45).lines()
        #expect(short[1] == "Time: Sunday, 2024-10-20, 13:24:59 to 14:09:59 (+02:00)")
        let long = await details(appointment, slotMinutes: 660).lines()
        #expect(
            long[1] == "Time: Sunday, 2024-10-20, 13:24:59 to Monday, 2024-10-21, 00:24:59 (+02:00)"
        )
    }

    @Test("contain everything else that is stored, and both times of a move")
    func everything() async {
        var before = appointment
        (before.id, before.version) = ("a1", 3)
        (before.booking.email, before.booking.note) = ("ada@example.com", "a\nb")
        var after = before
        after.version = nil
        after.booking.time = before.booking.time.advanced(byMinutes: 60)
        #expect(
            await details(after).lines(before: before).dropFirst() == [
                "From: Sunday, 2024-10-20, 13:24:59 (+02:00)",
                "To: Sunday, 2024-10-20, 14:24:59 (+02:00)", "Phone: 12345",
                "Email: ada@example.com", #"Notes: a\nb"#, "Appointment: a1, version 3",
            ]
        )
        #expect(await details(before).lines().last == "Appointment: a1, version 3")
    }
}
