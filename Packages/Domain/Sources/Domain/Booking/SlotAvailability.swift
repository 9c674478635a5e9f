/// Whether a server reports a slot as free.
public enum SlotAvailability: Sendable, Hashable {
    /// The slot is free, and so are the later slots.
    case available(later: [AppointmentTime] = [])
    /// The slot is taken. The alternatives are free slots nearby.
    case taken(alternatives: [AppointmentTime])
    /// The server does not report availability. Only the booking itself shows whether the slot is
    /// free.
    case unsupported
    /// The server has no such salon.
    case salonNotFound
}
