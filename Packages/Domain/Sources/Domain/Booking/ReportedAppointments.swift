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
