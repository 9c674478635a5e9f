import Synchronization
import WebPrimitives

/// A client that immediately rejects requests to a server that is known to be overloaded.
///
/// Each origin has a circuit. A circuit opens after several consecutive requests reached the server
/// but failed: the server was too slow, or responded with 408, 429, 502, 503, or 504. A missing or
/// lost connection does not count as a failure, because only another attempt can show whether there
/// is a connection.
///
/// While a circuit is open, requests fail with `circuitOpen`. After a delay, which doubles with
/// each failure and is at least `Retry-After`, one request is sent as a probe: any other response
/// closes the circuit, a failure reopens it. If the probe shows neither, for example because it was
/// cancelled or could not connect, the next request becomes the probe.
///
/// Wrap it around a ``RetryingHTTPClient``, so that one request with all its retries counts once.
public final class CircuitBreakingHTTPClient: HTTPClient {
    /// The maximum number of stored circuits. An origin that has not failed needs none. Once the
    /// maximum is reached, requests to other origins are never rejected.
    private static let maximumCircuits = 1_024

    private let client: any HTTPClient
    private let policy: CircuitBreakerPolicy
    private let clock: any RetryClock
    private let circuits = Mutex<[String: Circuit]>([:])

    /// Creates a client that wraps another one.
    ///
    /// - Parameters:
    ///   - client: The client that sends the requests.
    ///   - policy: When a circuit opens, and for how long.
    ///   - clock: Measures how long a circuit has been open.
    public init(
        _ client: any HTTPClient,
        policy: CircuitBreakerPolicy = CircuitBreakerPolicy(),
        clock: any RetryClock = SystemRetryClock()
    ) {
        (self.client, self.policy, self.clock) = (client, policy, clock)
    }

    /// See ``HTTPClient/send(_:)``. A request that is rejected throws `circuitOpen`.
    public func send(_ request: HTTPRequest) async throws(HTTPClientError) -> HTTPResponse {
        let origin = Self.origin(of: request.url)
        let ticket: Int
        switch update(origin, { $0.admit(now: $1) }) {
        case .send(let admitted): ticket = admitted
        case .reject(let retryAfter):
            throw HTTPClientError(
                .circuitOpen,
                detail: retryAfter.map { "the next attempt is possible in \($0.milliseconds) ms" }
                    ?? "an attempt is in progress"
            )
        }
        let result: Result<HTTPResponse, HTTPClientError>
        let outcome: CircuitOutcome
        do {
            let response = try await client.send(request)
            (result, outcome) = (.success(response), CircuitOutcome(response, now: clock.date))
        } catch {
            (result, outcome) = (.failure(error), CircuitOutcome(error))
        }
        update(origin) { $0.record(outcome, ticket: ticket, now: $1, policy: policy) }
        return try result.get()
    }

    /// Changes the circuit of an origin, and saves it if necessary.
    private func update<Result>(
        _ origin: String,
        _ transition: (inout Circuit, _ now: ContinuousClock.Instant) -> Result
    ) -> Result {
        let now = clock.now
        return circuits.withLock { circuits in
            let known = circuits[origin]
            var circuit = known ?? Circuit()
            defer {
                if circuit.isInitial {
                    circuits[origin] = nil
                } else if known != nil || circuits.count < Self.maximumCircuits {
                    circuits[origin] = circuit
                }
            }
            return transition(&circuit, now)
        }
    }

    /// The URL's scheme and authority as written. Each spelling of an origin has its own circuit.
    private static func origin(of url: String) -> String {
        let end = url.firstRange(of: "://")?.upperBound ?? url.startIndex
        return String(url[..<(url[end...].firstIndex { "/?#".contains($0) } ?? url.endIndex)])
    }
}

/// When a ``CircuitBreakingHTTPClient`` opens a circuit, and for how long.
public struct CircuitBreakerPolicy: Sendable, Hashable {
    /// How many consecutive failures open the circuit; 3 by default. Values below 1 count as 1.
    public var failuresToOpen = 3
    /// How long the circuit stays open at first; 1 second by default. This time doubles with each
    /// failed probe.
    public var firstOpenDuration: Duration = .seconds(1)
    /// The longest time that a circuit stays open; 30 seconds by default. A `Retry-After` may
    /// require a longer time.
    public var maximumOpenDuration: Duration = .seconds(30)
    /// The longest `Retry-After` that is honored; 60 seconds by default. A longer `Retry-After` is
    /// reduced to this time.
    public var maximumRetryAfter: Duration = .seconds(60)

    /// Creates the default policy.
    public init() {}

    /// How long the circuit stays open the `openings`th time in a row, counted from 1. The time
    /// doubles up to ``maximumOpenDuration``, and is at least `retryAfter`, up to
    /// ``maximumRetryAfter``.
    func openDuration(openings: Int, retryAfter: Duration?) -> Duration {
        let backoff = min(
            firstOpenDuration.clamped * (1 << min(max(openings - 1, 0), 31)),
            maximumOpenDuration.clamped
        )
        return max(backoff, min((retryAfter ?? .zero).clamped, maximumRetryAfter.clamped))
    }
}

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
