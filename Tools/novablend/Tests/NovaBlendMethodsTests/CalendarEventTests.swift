import Domain
import ICalendar
import Testing

@testable import NovaBlendMethods

@Suite("The calendar event of an appointment")
struct CalendarEventTests {
    private let stamp = Timestamp(secondsSince1970: 1_729_425_600)
    private let start = Timestamp(secondsSince1970: 1_729_429_200)

    @Test("an event has the id and the salon of its appointment, or defaults if they are unknown")
    func appointments() {
        let id = SalonID(high: 1, low: 2)
        var appointment = Appointment(
            booking: BookingRequest(
                salonID: id,
                time: AppointmentTime(instant: start, offsetMinutes: 120),
                phone: "+49 30 1234567",
                email: "ada@example.com",
                note: "n"
            ),
            id: "17",
            version: 3,
            status: .cancelled
        )
        let midnight = TimeOfDay(minuteOfDay: 0)
        let salon = Salon(
            id: id,
            name: "Nova",
            location: "Paris",
            hours: OpeningHours(opens: midnight, closes: midnight),
            slotMinutes: 45
        )
        let known = CalendarEvent(appointment, at: salon, stamp: stamp)
        #expect(known.uid == "17@\(id)" && known.sequence == 2 && known.status == .cancelled)
        #expect(known.summary == "Nova" && known.location == "Paris" && known.description == "n")
        #expect(known.end?.seconds(since: known.start) == Int64(45 * 60))
        let written = String(decoding: CalendarWriter.write([known], productID: "p"), as: UTF8.self)
        #expect(!written.contains("1234567") && !written.contains("ada"))
        for (status, expected) in [
            (Appointment.Status.booked, CalendarEvent.Status.confirmed),
            (.other("waitlisted"), .tentative),
        ] {
            appointment.status = status
            #expect(CalendarEvent(appointment, at: salon, stamp: stamp).status == expected)
        }
        (appointment.id, appointment.version) = (nil, nil)
        let bare = CalendarEvent(appointment, at: nil, stamp: stamp)
        #expect(bare.uid == "20241020T130000Z@\(id)" && bare.sequence == 0)
        #expect(bare.end == nil)
        // An event must end after its start, whatever the server reports.
        for (minutes, length) in [(-5, nil), (0, nil), (5, 5)] as [(Int, Int64?)] {
            appointment.endTime = appointment.booking.time.advanced(byMinutes: minutes)
            let event = CalendarEvent(appointment, at: nil, stamp: stamp)
            #expect(event.end?.seconds(since: event.start) == length.map { $0 * 60 })
        }
        appointment.booking.options.serviceID = "cut"
        appointment.booking.options.staffID = "ana"
        let chosen = CalendarEvent(appointment, at: nil, stamp: stamp)
        #expect(chosen.uid == "20241020T130000Z-cut-ana@\(id)")
        for version in [Int.min, -1, 0, 1] {
            appointment.version = version
            #expect(CalendarEvent(appointment, at: nil, stamp: stamp).sequence == 0)
        }
        appointment.version = .max
        #expect(CalendarEvent(appointment, at: nil, stamp: stamp).sequence == .max - 1)
    }

    @Test("a cancellation has a higher sequence than the booking, and no reminder")
    func cancelled() {
        let time = AppointmentTime(instant: start)
        let booking = BookingRequest(salonID: SalonID(high: 1, low: 2), time: time, phone: "12345")
        for (version, booked, cancelled) in [(nil, 0, 1), (1, 0, 1), (2, 1, 1), (3, 2, 2)] {
            for (status, expected) in [
                (Appointment.Status.booked, booked), (.cancelled, cancelled),
            ] {
                let appointment = Appointment(booking: booking, version: version, status: status)
                let event = CalendarEvent(
                    appointment,
                    at: nil,
                    stamp: stamp,
                    reminderMinutes: 30
                )
                #expect(event.sequence == expected, "\(String(describing: version)) \(status)")
                #expect(event.reminderMinutes == (status == .booked ? 30 : nil))
            }
        }
    }

    @Test("events with the same identifier are numbered, and all others keep theirs")
    func uniqueIDs() {
        let events = ["a", "b", "a", "c", "a"].map { uid in
            CalendarEvent(uid: uid, stamp: stamp, start: start, end: start, summary: "s")
        }
        #expect(CalendarEvent.withUniqueIDs(events).map(\.uid) == ["a", "b", "2-a", "c", "3-a"])
        #expect(CalendarEvent.withUniqueIDs([]).isEmpty)
    }
}
