/// An appointment on the server.
public struct Appointment: Sendable, Hashable {
    /// The status of an appointment.
    public enum Status: Sendable, Hashable {
        /// The appointment is booked.
        case booked
        /// The appointment was cancelled, so its slot is free again.
        case cancelled
        /// A status that only the server knows, such as `waitlisted`. It proves nothing, but the
        /// appointment still takes its time.
        case other(String)

        /// The statuses that the contract defines.
        public static let defined: [Status] = [.booked, .cancelled]

        /// Creates a defined status; nil if none has this name.
        public init?(defined name: String) {
            guard let status = Self.defined.first(where: { $0.name == name }) else { return nil }
            self = status
        }

        /// The name, as it is shown.
        public var name: String {
            switch self {
            case .booked: "booked"
            case .cancelled: "cancelled"
            case .other(let name): name
            }
        }
    }

    /// The details of the booking.
    public var booking: BookingRequest
    /// The server's identifier; nil if it assigns none.
    public var id: String?
    /// A number that increases with each change; nil if the server does not count changes.
    public var version: Int?
    /// Whether the appointment is booked or cancelled.
    public var status: Status
    /// Whether the appointment takes its time: always, unless it was cancelled.
    public var isActive: Bool { status != .cancelled }

    /// The end; nil if the server reports none.
    public var endTime: AppointmentTime?
    /// Whether the server chose the staff member of ``booking``, because the customer named none.
    public var isStaffAssigned: Bool
    /// The service as it was when it was booked; nil without a service, or if the server does not
    /// report it.
    public var bookedService: Service?

    /// Creates an appointment.
    public init(
        booking: BookingRequest,
        id: String? = nil,
        version: Int? = nil,
        status: Status = .booked,
        endTime: AppointmentTime? = nil,
        isStaffAssigned: Bool = false,
        bookedService: Service? = nil
    ) {
        self.booking = booking
        self.id = id
        self.version = version
        self.status = status
        self.endTime = endTime
        self.isStaffAssigned = isStaffAssigned
        self.bookedService = bookedService
    }

    /// The service as it was booked or, if the server does not report that, as `salon` has it. The result
    /// is nil if the appointment has no service, or if neither is known.
    public func service(at salon: Salon?) -> Service? {
        guard let id = booking.options.serviceID else { return nil }
        return bookedService?.id == id ? bookedService : salon?.service(id)
    }

    /// The end at `salon`: as the server reports it, or else computed from the length of the
    /// service, or, for an appointment without one, of those at the salon; nil if neither is known.
    public func end(at salon: Salon?) -> AppointmentTime? {
        if let endTime { return endTime }
        let minutes = service(at: salon)?.minutes
        let isService = booking.options.serviceID != nil
        return (minutes ?? (isService ? nil : salon?.slotMinutes))
            .map(booking.time.advanced(byMinutes:))
    }

    /// Whether both are the same appointment. Compares the ids if both have one, otherwise salon,
    /// instant, and phone.
    public func isSame(as other: Appointment) -> Bool {
        if let id, let otherID = other.id { return id == otherID }
        return booking.isSameBooking(as: other.booking)
    }
}
