/// The port to what is known of salons when a booking is checked.
public protocol SalonDirectory: Sendable {
    /// Looks `id` up in the cache while that is fresh, otherwise on the server.
    func salon(_ id: SalonID) async -> SalonLookup
    /// Looks `id` up on the server; `unknown` where the server does not answer.
    func reloadedSalon(_ id: SalonID) async -> SalonLookup
}

/// What is known of a salon.
public enum SalonLookup: Sendable, Hashable {
    /// The salon; `isCurrent` if the server just said so, so that a rejection may rest on it.
    case known(Salon, isCurrent: Bool = true)
    /// The server's list lacks it.
    case absent
    /// Nothing is known for certain: the server decides.
    case unknown
}
