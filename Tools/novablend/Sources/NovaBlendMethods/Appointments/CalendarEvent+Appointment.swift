import Domain
import ICalendar

extension CalendarEvent {
    /// Creates the event of an appointment as it was at `stamp`. The event contains no phone number
    /// or email, since calendars are shared. A cancelled one has no reminder.
    init(
        _ appointment: Appointment,
        at salon: Salon?,
        stamp: Timestamp,
        reminderMinutes: Int? = nil
    ) {
        let booking = appointment.booking
        let start = booking.time.instant
        // An event must end after its start (RFC 5545, section 3.6.1).
        let known = appointment.end(at: salon).map(\.instant).flatMap { $0 > start ? $0 : nil }
        // Ids are only unique within a salon.
        let options = [booking.options.serviceID, booking.options.staffID].compactMap(\.self)
        let name =
            appointment.id ?? ([CalendarWriter.format(start)] + options).joined(separator: "-")
        self.init(
            uid: "\(name)@\(booking.salonID)",
            stamp: stamp,
            start: start,
            end: known,
            summary: Self.summary(of: ChosenOptions(appointment: appointment, salon: salon)),
            location: salon?.location,
            description: booking.note,
            status: Status(appointment.status),
            sequence: Self.sequence(of: appointment),
            reminderMinutes: appointment.isActive ? reminderMinutes : nil
        )
    }

    /// The number of changes. A cancellation is one, even if the server does not count changes: calendar
    /// programs ignore it unless its number is higher than that of the booking.
    private static func sequence(of appointment: Appointment) -> Int {
        let changes = max(appointment.version ?? 1, 1) - 1
        return appointment.isActive ? changes : max(changes, 1)
    }

    /// Adds a number to the identifier of each event that an earlier event has, too: appointments without
    /// ids may be equal in everything that a calendar may contain. A calendar program shows only one of
    /// several events with the same identifier.
    static func withUniqueIDs(_ events: [CalendarEvent]) -> [CalendarEvent] {
        var counts: [String: Int] = [:]
        return events.map { event in
            var event = event
            let number = (counts[event.uid] ?? 0) + 1
            counts[event.uid] = number
            if number > 1 { event.uid = "\(number)-\(event.uid)" }
            return event
        }
    }

    /// The title of the event, such as `Color with Ana, Atelier Nova`.
    private static func summary(of chosen: ChosenOptions) -> String {
        let place = chosen.salon?.name ?? "Appointment"
        let staff = chosen.staff.map { "with \($0)" }
        let activity = [chosen.service, staff].compactMap(\.self).joined(separator: " ")
        return activity.isEmpty ? place : "\(activity), \(place)"
    }
}

extension CalendarEvent.Status {
    fileprivate init(_ status: Appointment.Status) {
        self =
            switch status {
            case .booked: .confirmed
            case .cancelled: .cancelled
            case .other: .tentative
            }
    }
}
