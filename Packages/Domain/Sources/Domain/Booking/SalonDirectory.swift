/// The port through which bookings look salons up.
public protocol SalonDirectory: Sendable {
    /// Looks `id` up in the cache while that is fresh, otherwise on the server.
    func salon(_ id: SalonID) async -> SalonLookup
    /// Looks `id` up on the server; `unknown` if the server does not answer.
    func reloadedSalon(_ id: SalonID) async -> SalonLookup
}

/// The result of looking up a salon.
public enum SalonLookup: Sendable, Hashable {
    /// The salon. Only a salon that the server just sent, which `isCurrent` means, may cause a
    /// rejection.
    case known(Salon, isCurrent: Bool = true)
    /// The server's list lacks it.
    case absent
    /// Nothing is known for certain: the server decides.
    case unknown
}
