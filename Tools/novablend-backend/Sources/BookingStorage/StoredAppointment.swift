public import Domain

/// An appointment in the store.
public struct StoredAppointment: Sendable, Hashable {
    /// The identifier, unique in the store.
    public let id: String
    /// The details of the booking.
    public var booking: BookingRequest
    /// A number that increases with each change, starting at 1.
    public var version: Int
    /// Whether the appointment is booked or cancelled.
    public var status: Appointment.Status
    /// The length in minutes.
    public var minutes: Int
    /// The key of the request that booked it; nil if it had none.
    public let idempotencyKey: String?

    /// Creates an appointment.
    public init(
        id: String,
        booking: BookingRequest,
        version: Int = 1,
        status: Appointment.Status = .booked,
        minutes: Int,
        idempotencyKey: String? = nil
    ) {
        self.id = id
        self.booking = booking
        self.version = version
        self.status = status
        self.minutes = minutes
        self.idempotencyKey = idempotencyKey
    }

    /// The appointment in the form of the contract.
    public var appointment: Appointment {
        Appointment(booking: booking, id: id, version: version, status: status)
    }

    /// The position in the list of all appointments.
    public var position: AppointmentPosition {
        AppointmentPosition(salonID: booking.salonID, id: id)
    }

    /// The time that the appointment occupies.
    public var interval: BusyInterval {
        BusyInterval(start: booking.time.instant, minutes: minutes)
    }
}
