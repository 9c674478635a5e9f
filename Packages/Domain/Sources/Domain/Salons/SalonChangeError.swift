/// Why a salon was not changed, or why the outcome is unknown.
public enum SalonChangeError: Error, Sendable, Hashable {
    /// The salon does not exist; nothing was changed.
    case salonNotFound(SalonID)
    /// The salon has a different version; nothing was changed. `current` is the stored salon, if
    /// known.
    case versionConflict(current: Salon?)
    /// The salon has active bookings in the future, so it was not deleted.
    case hasBookings(SalonID, reason: String)
    /// The server cannot change salons; nothing was changed.
    case unsupported(reason: String)
    /// The server rejected the request for a different reason; nothing was changed. `status` is nil
    /// if the server redirected the request.
    case rejected(status: Int?, reason: String)
    /// The server could not be reached; nothing was changed, and the request is not queued.
    case requiresConnection(reason: String, retryAfterSeconds: Int? = nil)
    /// A response that violates the contract arrived before the change was sent.
    case invalidData(reason: String)
    /// The change was sent, and its outcome is unknown.
    case inDoubt(SalonID, reason: String, retryAfterSeconds: Int? = nil)
    /// The server answered 401; nothing was changed.
    case notAuthenticated(reason: String)
    /// The server answered 403; nothing was changed.
    case notAllowed(reason: String)
    /// No URL for salons is configured.
    case notConfigured
    /// The caller cancelled the request before anything was sent.
    case cancelled

    /// The error of a change that failed before it was sent.
    init(beforeSending error: ServerError) {
        switch error {
        case .connectivity(let reason, let seconds), .unavailable(let reason, let seconds):
            self = .requiresConnection(reason: reason, retryAfterSeconds: seconds)
        case .notAuthenticated(let reason): self = .notAuthenticated(reason: reason)
        case .notAllowed(let reason): self = .notAllowed(reason: reason)
        case .invalidData(let reason): self = .invalidData(reason: reason)
        case .notConfigured: self = .notConfigured
        case .cancelled: self = .cancelled
        }
    }
}
