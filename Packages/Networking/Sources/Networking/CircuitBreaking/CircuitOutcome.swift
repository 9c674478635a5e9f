import WebPrimitives

/// What the result of a request shows about the server's availability.
enum CircuitOutcome: Equatable {
    /// The server responded.
    case success
    /// The server was reached, but it was too slow or reported that it is unavailable.
    case failure(retryAfter: Duration?)
    /// Nothing, because there was no connection, the request was cancelled, or it failed for a reason
    /// other than availability.
    case inconclusive

    /// A status that ``RetryingHTTPClient`` retries counts as a failure, because retries delay
    /// every caller. A 500 does not count: it often concerns a single resource, and it is not
    /// retried.
    init(_ response: HTTPResponse, now: HTTPDate) {
        guard response.isTransient else {
            self = .success
            return
        }
        let honorsRetryAfter = response.status == 429 || response.status == 503
        let retryAfter = honorsRetryAfter ? response.retryAfter(now: now) : nil
        self = .failure(retryAfter: retryAfter)
    }

    init(_ error: HTTPClientError) {
        switch error.reason {
        case .timedOut(.stall), .timedOut(.total):
            self = .failure(retryAfter: nil)
        case .bodyTooLarge, .headersTooLarge, .tooManyRedirects, .redirectRejected,
            .redirectedElsewhere, .malformedResponse, .undecodableBody, .unexpectedStatus:
            self = .success
        case .couldNotResolve, .couldNotConnect, .timedOut(.connect), .connectionLost, .invalidURL,
            .invalidHeader, .tls, .destinationNotAllowed, .circuitOpen, .cancelled, .closed,
            .noCredentials, .libraryMissing, .uploadFailed, .fileFailed, .other:
            self = .inconclusive
        }
    }
}
