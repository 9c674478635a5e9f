import Testing

@testable import Networking

@Suite("Circuit")
struct CircuitTests {
    private let policy = CircuitBreakerPolicy()
    private let start = ContinuousClock.now

    private func at(_ milliseconds: Int) -> ContinuousClock.Instant {
        start + .milliseconds(milliseconds)
    }

    private func rejection(_ milliseconds: Int) -> Circuit.Admission {
        .reject(retryAfter: .milliseconds(milliseconds))
    }

    /// Records a request that starts and fails at `now`.
    private func fail(
        _ circuit: inout Circuit,
        retryAfter: Duration? = nil,
        at now: ContinuousClock.Instant
    ) {
        record(.failure(retryAfter: retryAfter), &circuit, at: now)
    }

    private func record(
        _ outcome: CircuitOutcome,
        _ circuit: inout Circuit,
        at now: ContinuousClock.Instant
    ) {
        guard case .send(let ticket) = circuit.admit(now: now) else {
            Issue.record("rejected at \(start.duration(to: now))")
            return
        }
        circuit.record(outcome, ticket: ticket, now: now, policy: policy)
    }

    /// A circuit that opened at 0 for one second.
    private func opened() -> Circuit {
        var circuit = Circuit()
        for _ in 1...3 { fail(&circuit, at: at(0)) }
        return circuit
    }

    @Test("A circuit opens at the third consecutive failure, and not before")
    func opens() {
        var circuit = Circuit()
        for _ in 1...2 { fail(&circuit, at: at(5)) }
        #expect(circuit.admit(now: at(5)) == .send(ticket: 0))
        fail(&circuit, at: at(5))
        #expect(circuit.admit(now: at(5)) == rejection(1_000))
        #expect(circuit.admit(now: at(1_004)) == rejection(1))
    }

    @Test("Failures are counted from zero after a success, but not after an inconclusive outcome")
    func consecutive() {
        var circuit = Circuit()
        for _ in 1...2 { fail(&circuit, at: at(0)) }
        record(.success, &circuit, at: at(0))
        for _ in 1...2 { fail(&circuit, at: at(0)) }
        record(.inconclusive, &circuit, at: at(0))
        fail(&circuit, at: at(0))
        #expect(circuit.admit(now: at(0)) == rejection(1_000))
    }

    @Test("Exactly one probe is admitted when the open time has passed")
    func oneProbe() {
        var circuit = opened()
        #expect(circuit.admit(now: at(999)) == rejection(1))
        #expect(circuit.admit(now: at(1_000)) == .send(ticket: 2))
        #expect(circuit.admit(now: at(1_000)) == .reject(retryAfter: nil))
        #expect(circuit.admit(now: at(900_000)) == .reject(retryAfter: nil))
    }

    @Test("A circuit closes when the probe succeeds, and opens again only after three failures")
    func closes() {
        var circuit = opened()
        record(.success, &circuit, at: at(1_000))
        for _ in 1...2 { fail(&circuit, at: at(1_000)) }
        record(.inconclusive, &circuit, at: at(1_000))
        fail(&circuit, at: at(1_000))
        #expect(circuit.admit(now: at(1_000)) == rejection(1_000))
    }

    @Test("Each failed probe reopens the circuit for twice the time, up to half a minute")
    func backoff() {
        var circuit = opened()
        var now = at(1_000)
        for seconds in [2, 4, 8, 16, 30, 30] {
            fail(&circuit, at: now)
            let milliseconds = seconds * 1_000
            #expect(circuit.admit(now: now) == rejection(milliseconds))
            now += .milliseconds(milliseconds)
        }
        record(.success, &circuit, at: now)
        for _ in 1...3 { fail(&circuit, at: now) }
        #expect(circuit.admit(now: now) == rejection(1_000))
    }

    @Test("After an inconclusive probe, the next request becomes the probe immediately")
    func inconclusiveProbe() {
        var circuit = opened()
        record(.inconclusive, &circuit, at: at(1_500))
        #expect(circuit.admit(now: at(1_500)) == .send(ticket: 4))
        circuit.record(
            .failure(retryAfter: nil),
            ticket: 4,
            now: at(1_500),
            policy: policy
        )
        // This is the second opening in a row, not the third.
        #expect(circuit.admit(now: at(1_500)) == rejection(2_000))
    }

    @Test(
        "A circuit stays open as long as the server asks, between the backoff and one minute"
    )
    func retryAfter() {
        for (asked, milliseconds) in [(0, 1_000), (1, 1_000), (7, 7_000), (3_600, 60_000)] {
            var circuit = Circuit()
            for _ in 1...3 {
                fail(&circuit, retryAfter: .seconds(asked), at: at(0))
            }
            #expect(circuit.admit(now: at(0)) == rejection(milliseconds))
        }
    }

    @Test("Outcomes of requests that were admitted before the circuit opened are ignored")
    func lateOutcomes() {
        let failure = CircuitOutcome.failure(retryAfter: .seconds(60))
        for outcome in [failure, .success, .inconclusive] {
            var circuit = opened()
            let late = { (circuit: inout Circuit) in
                circuit.record(outcome, ticket: 0, now: at(1_000), policy: CircuitBreakerPolicy())
            }
            late(&circuit)
            #expect(circuit.admit(now: at(999)) == rejection(1))
            #expect(circuit.admit(now: at(1_000)) == .send(ticket: 2))
            late(&circuit)
            #expect(circuit.admit(now: at(1_000)) == .reject(retryAfter: nil))
            circuit.record(.success, ticket: 2, now: at(1_000), policy: policy)
            for _ in 1...3 { late(&circuit) }
            #expect(circuit.admit(now: at(1_000)) == .send(ticket: 3) && !circuit.isInitial)
        }
    }

    @Test(
        "No policy causes an overflow",
        arguments: [
            (Int.min, Int.min, 50), (-1, -1, 50), (0, 0, 50), (Int.max, Int.max, 50),
            (Int.min, Int.max, 1),
            (1, Int.max, 1), (2, Int.max, 2),
        ]
    )
    func anyPolicy(failuresToOpen: Int, seconds: Int, expectedRequests: Int) {
        var policy = CircuitBreakerPolicy()
        policy.failuresToOpen = failuresToOpen
        policy.firstOpenDuration = .seconds(seconds)
        policy.maximumOpenDuration = .seconds(seconds)
        policy.maximumRetryAfter = .seconds(seconds)
        var circuit = Circuit()
        var requests = 0
        for _ in 1...50 {
            guard case .send(let ticket) = circuit.admit(now: at(0)) else { continue }
            requests += 1
            let failure = CircuitOutcome.failure(retryAfter: .seconds(seconds))
            circuit.record(failure, ticket: ticket, now: at(0), policy: policy)
        }
        #expect(requests == expectedRequests)
    }
}
