/// A server's answer about one slot.
public enum SlotAvailability: Sendable, Hashable {
    /// The slot is free.
    case available
    /// The slot is taken; these nearby are free.
    case taken(alternatives: [AppointmentTime])
    /// The server does not answer such questions: the booking decides.
    case notOffered
    /// The server has no such salon.
    case salonNotFound
}
