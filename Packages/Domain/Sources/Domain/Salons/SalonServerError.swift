/// Why one attempt to put or delete a salon ended without a confirmation.
public enum SalonServerError: Error, Sendable, Hashable {
    /// No byte of the request left this machine, or the server rejected it without processing it
    /// (429).
    case notSent(reason: String, retryAfterSeconds: Int? = nil)
    /// The request was sent, and no response states its outcome.
    case noResponse(reason: String, retryAfterSeconds: Int? = nil)
    /// The server sent a 2xx response that does not show the outcome.
    case accepted(reason: String)
    /// The stored salon has a different version, or exists although it should not (412).
    case versionConflict(reason: String)
    /// The server states that it has no such salon.
    case notFound(reason: String)
    /// A 404 or 410 that does not state what is missing. A server without such a method sends it,
    /// and so do proxies that do not reach the server.
    case noResource(reason: String)
    /// The salon has active bookings in the future, so it cannot be deleted.
    case hasBookings(reason: String)
    /// The server cannot change salons.
    case unsupported(reason: String)
    /// The server rejected the request for any other reason. `status` is nil if the server
    /// redirected the request.
    case rejected(status: Int?, reason: String)
    /// The server answered 401.
    case notAuthenticated(reason: String)
    /// The server answered 403.
    case notAllowed(reason: String)
    /// No URL for salons is configured.
    case notConfigured
}
