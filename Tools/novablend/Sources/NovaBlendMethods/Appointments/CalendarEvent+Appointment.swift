import Domain
import ICalendar

extension CalendarEvent {
    /// The event of an appointment as it was at `stamp`. It contains no phone number or email, since
    /// calendars are shared.
    init(_ appointment: Appointment, at salon: Salon?, stamp: Timestamp) {
        let booking = appointment.booking
        let start = booking.time.instant
        let minutes = salon?.appointmentMinutes ?? Salon.assumedSlotMinutes
        // Ids are only unique within a salon.
        let name = appointment.id ?? CalendarWriter.format(start)
        self.init(
            uid: "\(name)@\(booking.salonID)",
            stamp: stamp,
            start: start,
            end: start.advanced(bySeconds: Int64(minutes) * 60),
            summary: salon?.name ?? "Appointment",
            location: salon?.location,
            description: booking.note,
            status: appointment.status == .cancelled ? .cancelled : .confirmed,
            sequence: max(appointment.version ?? 1, 1) - 1
        )
    }
}
