/// The port through which use cases look up salons.
public protocol SalonDirectory: Sendable {
    /// Looks up the salon `id` in the cache if it is fresh, otherwise on the server.
    func salon(_ id: SalonID) async -> SalonLookup
    /// Looks up the salon `id` on the server. Returns `unknown` if the server does not respond.
    func reloadedSalon(_ id: SalonID) async -> SalonLookup
}

/// The result of looking up a salon.
public enum SalonLookup: Sendable, Hashable {
    /// The salon was found. `isCurrent` means that the server just sent it. Only a current salon
    /// may cause a rejection.
    case known(Salon, isCurrent: Bool = true)
    /// The server's list does not contain the salon.
    case absent
    /// The salon could not be loaded, so the server decides about requests for it.
    case unknown
}
