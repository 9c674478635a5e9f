/// The port to what is known of salons when a booking is checked.
public protocol SalonDirectory: Sendable {
    /// Looks `id` up.
    func salon(_ id: SalonID) async -> SalonLookup
}

/// What is known of a salon.
public enum SalonLookup: Sendable, Hashable {
    /// It is this one.
    case known(Salon)
    /// The newest list does not have it.
    case absent
    /// Nothing is known for certain: the remote decides.
    case unknown
}
