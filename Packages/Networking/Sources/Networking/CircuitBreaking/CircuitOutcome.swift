/// What a response or an error says about the server's availability.
enum CircuitOutcome: Equatable {
    /// The server responded.
    case success
    /// The server is unavailable.
    case failure(CircuitCause, retryAfter: Duration?)
    /// Nothing: the request was cancelled, or failed for a reason on this side.
    case inconclusive

    /// The statuses that count as failures: those that ``RetryingHTTPClient`` retries, since they
    /// delay every caller. A 500 does not count: it often concerns one resource, and comes at once.
    init(_ response: HTTPResponse, now: HTTPDate) {
        guard response.isTransient else {
            self = .success
            return
        }
        let mayAsk = response.status == 429 || response.status == 503
        let retryAfter = mayAsk ? response.retryAfter(now: now) : nil
        self = .failure(.serverFailure, retryAfter: retryAfter)
    }

    init(_ error: HTTPClientError) {
        switch error.reason {
        case .couldNotResolve, .couldNotConnect, .timedOut(.connect), .connectionLost:
            self = .failure(.noConnection, retryAfter: nil)
        case .timedOut:
            self = .failure(.serverFailure, retryAfter: nil)
        case .bodyTooLarge, .headersTooLarge, .tooManyRedirects, .redirectRefused,
            .malformedResponse, .undecodableBody:
            self = .success
        case .invalidURL, .invalidHeader, .tls, .destinationNotAllowed, .circuitOpen, .cancelled,
            .closed, .noCredentials, .libraryMissing, .other:
            self = .inconclusive
        }
    }
}
