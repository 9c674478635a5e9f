import Synchronization

/// A client that rejects requests to a server that is known to be down, so that they fail at once.
///
/// Each origin has a circuit. It opens after consecutive failures: no connection, a timeout, a lost
/// connection, or a 408, 429, 502, 503, or 504. While it is open, requests fail with `circuitOpen`.
/// After a while, which doubles with each failure and is never shorter than `Retry-After`, one
/// request is sent as a probe: a response closes the circuit, a failure reopens it. A probe that is
/// cancelled counts as neither, and the next request probes.
///
/// Put it around a ``RetryingHTTPClient``, so that one request with all its retries counts once.
public final class CircuitBreakingHTTPClient: HTTPClient {
    /// Beyond these, circuits stay closed; only origins that failed recently take a place.
    private static let maximumCircuits = 1_024

    private let client: any HTTPClient
    private let policy: CircuitBreakerPolicy
    private let clock: any RetryClock
    private let circuits = Mutex<[String: Circuit]>([:])

    /// Wraps a client.
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
        let ticket = try admit(origin)
        do throws(HTTPClientError) {
            let response = try await client.send(request)
            record(CircuitOutcome(response, now: clock.date), of: origin, ticket)
            return response
        } catch {
            record(CircuitOutcome(error), of: origin, ticket)
            throw error
        }
    }

    private func admit(_ origin: String) throws(HTTPClientError) -> Int {
        let now = clock.now
        let admission = change(origin) { $0.admit(now: now) }
        switch admission {
        case .send(let ticket): return ticket
        case .reject(let cause, let retryAfter):
            throw HTTPClientError(
                .circuitOpen(cause),
                detail: retryAfter.map { "the next attempt is possible in \($0.milliseconds) ms" }
                    ?? "an attempt is in progress"
            )
        }
    }

    private func record(_ outcome: CircuitOutcome, of origin: String, _ ticket: Int) {
        let now = clock.now
        change(origin) { $0.record(outcome, ticket: ticket, now: now, policy: policy) }
    }

    private func change<Result>(
        _ origin: String,
        _ body: (inout Circuit) -> Result
    ) -> Result {
        circuits.withLock { circuits in
            var circuit = circuits[origin] ?? Circuit()
            defer {
                let isKnown = circuits[origin] != nil
                if circuit.isInitial {
                    circuits[origin] = nil
                } else if isKnown || circuits.count < Self.maximumCircuits {
                    circuits[origin] = circuit
                }
            }
            return body(&circuit)
        }
    }

    /// The URL's scheme and authority as they are written. Different spellings of an origin have
    /// different circuits.
    private static func origin(of url: String) -> String {
        let end = url.firstRange(of: "://")?.upperBound ?? url.startIndex
        return String(url[..<(url[end...].firstIndex { "/?#".contains($0) } ?? url.endIndex)])
    }
}
