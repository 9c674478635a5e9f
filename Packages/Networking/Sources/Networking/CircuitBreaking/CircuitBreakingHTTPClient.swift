import Synchronization

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
