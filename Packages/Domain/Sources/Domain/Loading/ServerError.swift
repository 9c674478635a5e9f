/// Why a request to the server failed.
public enum ServerError: Error, Sendable, Hashable {
    /// There is no connection: neither the server nor a proxy could be reached. Only then do the seeds'
    /// rules for a missing connection apply. A later attempt may succeed.
    case connectivity(reason: String, retryAfterSeconds: Int? = nil)
    /// Something was reached, but cannot serve the request at the moment: the server is too slow, it
    /// returned 429 or 5xx, its circuit breaker is open, a proxy or TLS failed, the connection was
    /// closed, or the network returned a sign-in page. A later attempt may succeed. A load may then
    /// return a cached value only if it is fresh.
    case unavailable(reason: String, retryAfterSeconds: Int? = nil)
    /// The server returned 401: the credentials are missing, expired, or wrong.
    case notAuthenticated(reason: String)
    /// The server returned 403: the credentials do not permit the request.
    case notAllowed(reason: String)
    /// The status or the payload of the response violates the contract.
    case invalidData(reason: String)
    /// No URL is configured for this resource.
    case notConfigured
    /// The calling task was cancelled.
    case cancelled
}

extension ServerError: CustomStringConvertible {
    /// The reason in words.
    public var description: String {
        switch self {
        case .connectivity(let reason, _), .unavailable(let reason, _): reason
        case .notAuthenticated(let reason), .notAllowed(let reason): reason
        case .invalidData(let reason): reason
        case .notConfigured: "no URL is configured for it"
        case .cancelled: "cancelled"
        }
    }
}
