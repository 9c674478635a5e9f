/// Why the server did not deliver a value.
public enum ServerError: Error, Sendable, Hashable {
    /// There is no connection to the server: the name was not resolved, or the connection failed or
    /// was lost. A later attempt may succeed.
    case connectivity(reason: String, retryAfterSeconds: Int? = nil)
    /// The server was reached and cannot serve now: it is too slow, answered 429, 5xx, or a network
    /// sign-in page, or a circuit breaker is open. A later attempt may succeed. Only a fresh cache may
    /// replace the answer.
    case unavailable(reason: String, retryAfterSeconds: Int? = nil)
    /// The server answered 401: the credentials are missing, expired, or wrong.
    case notAuthenticated(reason: String)
    /// The server answered 403: the credentials do not allow it.
    case notAllowed(reason: String)
    /// An answer that breaks the contract, by its status or its payload.
    case invalidData(reason: String)
    /// No URL is configured for this resource.
    case notConfigured
    /// The caller no longer wants the answer.
    case cancelled
}

extension ServerError: CustomStringConvertible {
    /// The reason in words.
    public var description: String {
        switch self {
        case .connectivity(let reason, _), .unavailable(let reason, _): reason
        case .notAuthenticated(let reason), .notAllowed(let reason): reason
        case .invalidData(let reason): reason
        case .notConfigured: "no address is configured for it"
        case .cancelled: "cancelled"
        }
    }
}
