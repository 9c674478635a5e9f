import Foundation
import JSON
import Testing

/// A change whose client or backend is killed. ``ExactlyOnceTests`` does the same for bookings.
@Suite(
    "Exactly once: changes",
    .enabled(if: Tracer.isAllowed, "strace is missing or may not trace here"),
    .throttled,
    .timeLimit(.minutes(10))
)
struct ExactlyOnceChangeTests {
    private static let methods = ["appointments/reschedule", "appointments/cancel"]
    private static let clientCalls = [
        "fsync", "pwrite64", "renameat", "sendto", "recvfrom", "connect", "flock", "write",
    ]
    private static let backendCalls = ["fdatasync", "pwrite64", "sendmsg", "recvfrom"]

    @Test(
        "a change by a client that is killed at any step is made at most once, and can be resolved",
        arguments: methods,
        clientCalls
    )
    func killedClient(method: String, call: String) async throws {
        let fixture = try await BackendFixture()
        let other = try fixture.unrelatedClient()
        try await Tracer.forEachStep(of: call) { tracer in
            let change = try await fixture.change(method, through: other)
            let client = try fixture.client(through: tracer)
            let reply = await client.reply(to: change.method, change.params)
            client.child.endInput()
            let wasKilled = await client.child.exitCode() != 0
            try await fixture.expectExactlyOnce(reply, change, "\(method) \(call) \(tracer.step)")
            return wasKilled
        }
    }

    @Test(
        "a change at a backend that is killed at any step is made at most once, and can be resolved",
        arguments: methods,
        backendCalls
    )
    func killedBackend(method: String, call: String) async throws {
        let fixture = try await BackendFixture()
        let other = try fixture.unrelatedClient()
        try await Tracer.forEachStep(of: call) { tracer in
            let change = try await fixture.change(method, through: other)
            await fixture.stopBackend()
            // The backend may be killed before it listens. Then the change does not reach it.
            let isRunning = await fixture.startBackend(through: tracer)
            let client = try fixture.client()
            let reply = await client.reply(to: change.method, change.params)
            await fixture.expectCleanExit(of: client, "\(call) \(tracer.step)")
            let wasKilled = await fixture.wasBackendKilled() || !isRunning
            try await fixture.restartBackend()
            try await fixture.expectExactlyOnce(reply, change, "\(method) \(call) \(tracer.step)")
            return wasKilled
        }
    }
}
