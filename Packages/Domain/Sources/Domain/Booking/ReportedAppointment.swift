/// An appointment as a server reports it, in a list or as the answer to a request.
///
/// Servers leave out fields, mask phones, and round times, so everything is optional here: a missing
/// field is neither evidence for a booking nor against it.
public struct ReportedAppointment: Sendable, Hashable {
    /// The server's identifier.
    public var id: String?
    /// Increases with each change.
    public var version: Int?
    /// Whether it takes place.
    public var status: Appointment.Status
    /// The key under which it was booked, where the server reports keys.
    public var idempotencyKey: String?
    /// The salon.
    public var salonID: SalonID?
    /// When it begins.
    public var time: AppointmentTime?
    /// The customer's phone, perhaps masked or written differently.
    public var phone: String?
    /// The customer's email.
    public var email: String?
    /// The note for the salon.
    public var note: String?

    /// Makes a report of nothing but its status.
    public init(status: Appointment.Status = .booked) { self.status = status }

    /// Makes a report that leaves nothing out.
    public init(_ appointment: Appointment, idempotencyKey: String? = nil) {
        let booking = appointment.booking
        (id, version, status) = (appointment.id, appointment.version, appointment.status)
        (salonID, time, phone) = (booking.salonID, booking.time, booking.phone)
        (email, note) = (booking.email, booking.note)
        self.idempotencyKey = idempotencyKey
    }

    /// The appointment; nil if the server left out what an appointment cannot lack.
    public var appointment: Appointment? {
        guard let salonID, let time, let phone else { return nil }
        let booking = BookingRequest(
            salonID: salonID,
            time: time,
            phone: phone,
            email: email,
            note: note
        )
        return Appointment(booking: booking, id: id, version: version, status: status)
    }

    /// The appointment, with `expected` for everything that the server left out or masked.
    func completed(by expected: Appointment) -> Appointment {
        var booking = expected.booking
        if let salonID { booking.salonID = salonID }
        if let time { booking.time = time }
        if let phone, !Phone(phone).isMasked { booking.phone = phone }
        booking.email = email ?? booking.email
        booking.note = note ?? booking.note
        return Appointment(
            booking: booking,
            id: id ?? expected.id,
            version: version,
            status: status
        )
    }

    /// Whether it names anything that identifies an appointment.
    var isIdentified: Bool { id != nil || salonID != nil || time != nil || phone != nil }
}
