import Domain

/// Something that takes a stretch of time, as a calendar has it.
struct CalendarEvent {
    /// Names it in every calendar, the same whenever it is written.
    var uid: String
    /// When what is said of it was known.
    var stamp: Timestamp
    var start: Timestamp
    var end: Timestamp
    var summary: String
    var location: String?
    var description: String?
    var isCancelled: Bool
    /// How often it was changed.
    var sequence: Int
}

extension CalendarEvent {
    /// The event of an appointment, known at `stamp`; without a phone or an email, since calendars
    /// are shared.
    init(of appointment: Appointment, at salon: Salon?, stamp: Timestamp) {
        let booking = appointment.booking
        let start = booking.time.instant
        let minutes = salon?.appointmentMinutes ?? Salon.assumedSlotMinutes
        // A remote's id need not be another's: the salon makes it unique.
        let name = appointment.id ?? CalendarWriter.text(of: start)
        self.init(
            uid: "\(name)@\(booking.salonID)",
            stamp: stamp,
            start: start,
            end: start.advanced(bySeconds: Int64(minutes) * 60),
            summary: salon?.name ?? "Appointment",
            location: salon?.location,
            description: booking.note,
            isCancelled: appointment.status == .cancelled,
            sequence: max(appointment.version ?? 1, 1) - 1
        )
    }
}
