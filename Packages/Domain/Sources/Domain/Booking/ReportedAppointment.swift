/// An appointment as a server reports it, in a list or in the response to a booking or change.
///
/// Servers omit fields, mask phones, and round times, so almost every field is optional. A missing
/// field is evidence neither for a booking nor against it.
public struct ReportedAppointment: Sendable, Hashable {
    /// The server's identifier.
    public var id: String?
    /// A number that increases with each change.
    public var version: Int?
    /// Whether the appointment is booked or cancelled.
    public var status: Appointment.Status
    /// The error that the report contains, in the server's words; nil if it contains none.
    public var error: String?
    /// The key under which it was booked, if the server reports keys.
    public var idempotencyKey: String?
    /// The salon.
    public var salonID: SalonID?
    /// The start time.
    public var time: AppointmentTime?
    /// The customer's phone, perhaps masked or written differently.
    public var phone: String?
    /// The customer's email.
    public var email: String?
    /// The note for the salon.
    public var note: String?
    /// The id of the service.
    public var serviceID: String?
    /// The id of the staff member.
    public var staffID: String?
    /// The number of seats.
    public var seats: Int?
    /// The end.
    public var endTime: AppointmentTime?
    /// Whether the server chose the staff member.
    public var isStaffAssigned: Bool?
    /// The service as it was when it was booked.
    public var bookedService: Service?

    /// Creates a report with only a status.
    public init(status: Appointment.Status = .booked) { self.status = status }

    /// Creates a report with every field of `appointment`.
    public init(_ appointment: Appointment, idempotencyKey: String? = nil) {
        let booking = appointment.booking
        (id, version, status) = (appointment.id, appointment.version, appointment.status)
        (salonID, time, phone) = (booking.salonID, booking.time, booking.phone)
        (email, note) = (booking.email, booking.note)
        let options = booking.options
        (serviceID, staffID, seats) = (options.serviceID, options.staffID, options.seats)
        (endTime, isStaffAssigned) = (appointment.endTime, appointment.isStaffAssigned)
        bookedService = appointment.bookedService
        self.idempotencyKey = idempotencyKey
    }

    /// The appointment; nil if the server omitted the salon, the time, or the phone.
    public var appointment: Appointment? {
        guard let salonID, let time, let phone else { return nil }
        let booking = BookingRequest(
            salonID: salonID,
            time: time,
            phone: phone,
            email: email,
            note: note,
            options: BookingOptions(serviceID: serviceID, staffID: staffID, seats: seats ?? 1)
        )
        return Appointment(
            booking: booking,
            id: id,
            version: version,
            status: status,
            endTime: endTime,
            isStaffAssigned: isStaffAssigned ?? false,
            bookedService: bookedService
        )
    }

    /// The appointment, with the values of `expected` for the fields that the server omitted or
    /// masked. The version is never taken from `expected`, and the end, the service as it was booked, and
    /// who chose the staff member only while they still apply.
    func completed(by expected: Appointment) -> Appointment {
        var booking = expected.booking
        booking.digest = nil
        if let salonID { booking.salonID = salonID }
        if let time { booking.time = time }
        if let phone, !Phone(phone).isMasked { booking.phone = phone }
        booking.email = email ?? booking.email
        booking.note = note ?? booking.note
        booking.options.serviceID = serviceID ?? booking.options.serviceID
        booking.options.staffID = staffID ?? booking.options.staffID
        booking.options.seats = seats ?? booking.options.seats
        let isMoved = booking.time.instant != expected.booking.time.instant
        return Appointment(
            booking: booking,
            id: id ?? expected.id,
            version: version,
            status: status,
            endTime: endTime ?? (isMoved ? nil : expected.endTime),
            isStaffAssigned: isStaffAssigned ?? mustBeAssigned(after: expected),
            bookedService: bookedService ?? (isMoved ? nil : expected.bookedService)
        )
    }

    /// Whether the server must have chosen the staff member, if it does not say so: a request that
    /// names none can only lead to an assigned one.
    private func mustBeAssigned(after expected: Appointment) -> Bool {
        if expected.booking.options.staffID == nil { return staffID != nil }
        return staffID == nil && expected.isStaffAssigned
    }

    /// Whether the service, the staff member, and the seats, where reported, are those of `options`.
    /// A service or a staff member that `options` leave open is not a difference: the server chose it.
    func isCompatible(with options: BookingOptions) -> Bool {
        func isSame<T: Equatable>(_ reported: T?, _ requested: T?) -> Bool {
            guard let reported, let requested else { return true }
            return reported == requested
        }
        return isSame(serviceID, options.serviceID) && isSame(staffID, options.staffID)
            && isSame(seats, options.seats)
    }

    /// Whether the appointment is at `time` and has what `options` changed, where reported.
    func shows(_ time: AppointmentTime, _ options: OptionsChange) -> Bool {
        var changed = BookingOptions(serviceID: options.serviceID)
        if case .member(let id) = options.staff { changed.staffID = id }
        changed.seats = options.seats ?? seats ?? 1
        return self.time?.isSameMinute(as: time) ?? false && isCompatible(with: changed)
    }
}

/// A list of appointments that a server just sent.
public struct ReportedAppointments: Sendable, Hashable {
    /// The appointments that the caller may see.
    public var appointments: [ReportedAppointment]
    /// Whether the list certainly contains every appointment that the caller may see. An incomplete
    /// list can confirm a booking but never rule one out.
    public var isComplete: Bool
    /// Whether the list may be up to a second older than the request for it. Some proxies say so
    /// about each response that they forward, with `Age: 0` (RFC 9111, section 5.1).
    public var mayPrecedeRequest: Bool
    /// The caller who requested the list.
    public var caller: Caller

    /// Creates a list.
    public init(
        _ appointments: [ReportedAppointment],
        isComplete: Bool,
        mayPrecedeRequest: Bool = false,
        caller: Caller
    ) {
        self.appointments = appointments
        self.isComplete = isComplete
        self.mayPrecedeRequest = mayPrecedeRequest
        self.caller = caller
    }

    /// Whether the list shows the key of one of `intents`.
    func shows(keyOf intents: [BookingIntent]) -> Bool {
        let keys = Set(intents.map(\.key))
        return appointments.contains { $0.idempotencyKey.map(keys.contains) ?? false }
    }

    /// Whether the list shows an appointment at the salon and the time of `wanted`, other than
    /// `wanted`. Use this only if the list does not show `wanted` itself.
    func showsOther(at wanted: Appointment) -> Bool {
        let start = wanted.booking.time
        return appointments.contains { other in
            guard other.salonID == wanted.booking.salonID, let time = other.time,
                other.status != .cancelled, other.error == nil,
                wanted.id == nil || other.id != wanted.id,
                !BookingOptions(staffID: other.staffID)
                    .nameDifferentStaff(wanted.booking.options)
            else { return false }
            let isRunning = time <= start && other.endTime.map { start < $0 } ?? false
            return isRunning || time.isSameMinute(as: start)
        }
    }
}
