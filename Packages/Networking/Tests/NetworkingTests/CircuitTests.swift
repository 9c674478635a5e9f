import Testing

@testable import Networking

@Suite("A circuit")
struct CircuitTests {
    private let policy = CircuitBreakerPolicy()

    /// A failed request, all at one moment.
    private func fail(
        _ circuit: inout Circuit,
        _ cause: CircuitCause = .noConnection,
        retryAfter: Int? = nil,
        at now: Int
    ) {
        record(.failure(cause, retryAfterSeconds: retryAfter), &circuit, at: now)
    }

    private func record(_ outcome: CircuitOutcome, _ circuit: inout Circuit, at now: Int) {
        guard case .send(let ticket) = circuit.admit(now: now) else {
            Issue.record("rejected at \(now)")
            return
        }
        circuit.record(outcome, ticket: ticket, now: now, policy: policy)
    }

    /// A circuit that opened at 0, for one second.
    private func opened() -> Circuit {
        var circuit = Circuit()
        for _ in 1...3 { fail(&circuit, at: 0) }
        return circuit
    }

    @Test("opens at the third consecutive failure, and not before")
    func opens() {
        var circuit = Circuit()
        for _ in 1...2 { fail(&circuit, at: 5) }
        #expect(circuit.admit(now: 5) == .send(ticket: 0))
        fail(&circuit, .serverFailure, at: 5)
        #expect(circuit.admit(now: 5) == .reject(.serverFailure, milliseconds: 1_000))
        #expect(circuit.admit(now: 1_004) == .reject(.serverFailure, milliseconds: 1))
    }

    @Test("counts anew after a success, but not after an inconclusive outcome")
    func consecutive() {
        var circuit = Circuit()
        for _ in 1...2 { fail(&circuit, at: 0) }
        record(.success, &circuit, at: 0)
        for _ in 1...2 { fail(&circuit, at: 0) }
        record(.inconclusive, &circuit, at: 0)
        fail(&circuit, at: 0)
        #expect(circuit.admit(now: 0) == .reject(.noConnection, milliseconds: 1_000))
    }

    @Test("admits exactly one probe when its time is over")
    func oneProbe() {
        var circuit = opened()
        #expect(circuit.admit(now: 999) == .reject(.noConnection, milliseconds: 1))
        #expect(circuit.admit(now: 1_000) == .send(ticket: 2))
        #expect(circuit.admit(now: 1_000) == .reject(.noConnection, milliseconds: nil))
        #expect(circuit.admit(now: 900_000) == .reject(.noConnection, milliseconds: nil))
    }

    @Test("closes when the probe succeeds, and then takes three failures again")
    func closes() {
        var circuit = opened()
        record(.success, &circuit, at: 1_000)
        for _ in 1...2 { fail(&circuit, at: 1_000) }
        record(.inconclusive, &circuit, at: 1_000)
        fail(&circuit, at: 1_000)
        #expect(circuit.admit(now: 1_000) == .reject(.noConnection, milliseconds: 1_000))
    }

    @Test("reopens with each failed probe, for twice the time, up to half a minute")
    func backoff() {
        var circuit = opened()
        var now = 1_000
        for seconds in [2, 4, 8, 16, 30, 30] {
            fail(&circuit, .serverFailure, at: now)
            let milliseconds = seconds * 1_000
            #expect(circuit.admit(now: now) == .reject(.serverFailure, milliseconds: milliseconds))
            now += milliseconds
        }
        record(.success, &circuit, at: now)
        for _ in 1...3 { fail(&circuit, at: now) }
        #expect(circuit.admit(now: now) == .reject(.noConnection, milliseconds: 1_000))
    }

    @Test("lets the next request probe at once after a probe that was inconclusive")
    func inconclusiveProbe() {
        var circuit = opened()
        record(.inconclusive, &circuit, at: 1_500)
        #expect(circuit.admit(now: 1_500) == .send(ticket: 4))
        circuit.record(
            .failure(.noConnection, retryAfterSeconds: nil),
            ticket: 4,
            now: 1_500,
            policy: policy
        )
        // The second failed opening, not the third.
        #expect(circuit.admit(now: 1_500) == .reject(.noConnection, milliseconds: 2_000))
    }

    @Test("stays open as long as the server asks, within a minute and not below the backoff")
    func retryAfter() {
        for (asked, milliseconds) in [(0, 1_000), (1, 1_000), (7, 7_000), (3_600, 60_000)] {
            var circuit = Circuit()
            for _ in 1...3 { fail(&circuit, .serverFailure, retryAfter: asked, at: 0) }
            #expect(circuit.admit(now: 0) == .reject(.serverFailure, milliseconds: milliseconds))
        }
    }

    @Test("ignores outcomes of requests that it admitted before it opened")
    func lateOutcomes() {
        let failure = CircuitOutcome.failure(.serverFailure, retryAfterSeconds: 60)
        for outcome in [failure, .success, .inconclusive] {
            var circuit = opened()
            let late = { (circuit: inout Circuit) in
                circuit.record(outcome, ticket: 0, now: 1_000, policy: CircuitBreakerPolicy())
            }
            late(&circuit)
            #expect(circuit.admit(now: 999) == .reject(.noConnection, milliseconds: 1))
            #expect(circuit.admit(now: 1_000) == .send(ticket: 2))
            late(&circuit)
            #expect(circuit.admit(now: 1_000) == .reject(.noConnection, milliseconds: nil))
            circuit.record(.success, ticket: 2, now: 1_000, policy: policy)
            for _ in 1...3 { late(&circuit) }
            #expect(circuit.admit(now: 1_000) == .send(ticket: 3) && !circuit.isInitial)
        }
    }

    @Test("survives any policy", arguments: [Int.min, -1, 0, Int.max])
    func anyPolicy(value: Int) {
        var policy = CircuitBreakerPolicy()
        policy.failuresToOpen = value
        policy.firstOpenMilliseconds = value
        policy.maximumOpenMilliseconds = value
        policy.maximumRetryAfterSeconds = value
        var circuit = Circuit()
        for _ in 1...50 {
            guard case .send(let ticket) = circuit.admit(now: 0) else { continue }
            let failure = CircuitOutcome.failure(.noConnection, retryAfterSeconds: value)
            circuit.record(failure, ticket: ticket, now: 0, policy: policy)
        }
    }
}
