/// What the remote says of one slot.
public enum SlotAvailability: Sendable, Hashable {
    /// It is free.
    case available
    /// It is not; these nearby are.
    case taken(alternatives: [AppointmentTime])
    /// The remote does not answer such questions: the booking itself decides.
    case notOffered
    /// The remote knows no such salon.
    case salonNotFound
}
