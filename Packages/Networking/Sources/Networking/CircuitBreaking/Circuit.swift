import WebPrimitives

/// The circuit of one origin: a state machine that uses no clock, lock, or network.
struct Circuit {
    /// What to do with a request.
    enum Admission: Equatable {
        /// Send the request, and record its outcome with `ticket`.
        case send(ticket: Int)
        /// Reject the request. The next probe is possible after `retryAfter`, which is nil while a
        /// probe is in flight.
        case reject(retryAfter: Duration?)
    }

    private struct Outage {
        /// How many times in a row the circuit has opened.
        var openings: Int
        /// When a probe may be sent.
        var end: ContinuousClock.Instant
    }

    private enum State {
        case closed(failures: Int)
        case open(Outage)
        /// One probe is in flight.
        case halfOpen(Outage)
    }

    private var state = State.closed(failures: 0)
    /// Changes with the state, so that outcomes from an earlier state are ignored.
    private var ticket = 0

    /// Whether the circuit equals a new one and does not have to be stored. A circuit that has ever
    /// opened must be stored: its ticket identifies the outcomes that it has to ignore.
    var isInitial: Bool {
        if case .closed(failures: 0) = state { ticket == 0 } else { false }
    }

    /// Decides whether a request may be sent at `now`.
    mutating func admit(now: ContinuousClock.Instant) -> Admission {
        switch state {
        case .closed: return .send(ticket: ticket)
        case .halfOpen: return .reject(retryAfter: nil)
        case .open(let outage) where now < outage.end:
            return .reject(retryAfter: now.duration(to: outage.end))
        case .open(let outage):
            enter(.halfOpen(outage))
            return .send(ticket: ticket)
        }
    }

    /// Records the outcome of a request that was admitted with `ticket`.
    mutating func record(
        _ outcome: CircuitOutcome,
        ticket: Int,
        now: ContinuousClock.Instant,
        policy: CircuitBreakerPolicy
    ) {
        guard ticket == self.ticket else { return }
        switch (state, outcome) {
        case (.closed, .success): state = .closed(failures: 0)
        case (.halfOpen, .success): enter(.closed(failures: 0))
        // The open time has already passed, so the next request becomes the next probe.
        case (.halfOpen(let outage), .inconclusive): enter(.open(outage))
        case (.closed(let failures), .failure) where failures + 1 < policy.failuresToOpen:
            state = .closed(failures: failures + 1)
        case (.closed, .failure(let retryAfter)):
            open(openings: 1, retryAfter, now, policy)
        case (.halfOpen(let outage), .failure(let retryAfter)):
            open(openings: outage.openings + 1, retryAfter, now, policy)
        case (.closed, .inconclusive), (.open, _): break
        }
    }

    private mutating func open(
        openings: Int,
        _ retryAfter: Duration?,
        _ now: ContinuousClock.Instant,
        _ policy: CircuitBreakerPolicy
    ) {
        let duration = policy.openDuration(openings: openings, retryAfter: retryAfter)
        enter(.open(Outage(openings: openings, end: now + duration)))
    }

    private mutating func enter(_ next: State) {
        state = next
        ticket += 1
    }
}

/// What the result of a request shows about the server's availability.
enum CircuitOutcome: Equatable {
    /// The server responded.
    case success
    /// The server was reached, but it was too slow or reported that it is unavailable.
    case failure(retryAfter: Duration?)
    /// The result shows nothing about availability: there was no connection, the request was
    /// cancelled, or it failed for a different reason.
    case inconclusive

    /// Interprets a response. A status that ``RetryingHTTPClient`` retries counts as a failure,
    /// because retries delay every caller. A 500 does not count: it often concerns a single
    /// resource, and it is not retried.
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
        case .timedOut(.handshake), .timedOut(.stall), .timedOut(.total):
            self = .failure(retryAfter: nil)
        case .bodyTooLarge, .headersTooLarge, .tooManyRedirects, .redirectRejected,
            .redirectedElsewhere, .malformedResponse, .undecodableBody, .unexpectedStatus:
            self = .success
        case .couldNotResolve, .couldNotConnect, .proxyFailed, .timedOut(.connect), .connectionLost,
            .linkLost, .invalidURL, .invalidHeader, .tls, .destinationNotAllowed, .circuitOpen,
            .cancelled, .closed, .noCredentials, .libraryMissing, .uploadFailed, .fileFailed,
            .other:
            self = .inconclusive
        }
    }
}
