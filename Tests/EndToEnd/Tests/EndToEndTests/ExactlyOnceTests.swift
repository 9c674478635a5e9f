import Foundation
import JSON
import Testing

/// A booking whose client or backend is killed, at one system call after the other.
///
/// After each kill, client and backend are started again with a clock some minutes ahead. Then the
/// booking must be resolved, with one appointment or no appointment.
@Suite(
    "Exactly once",
    .enabled(if: Tracer.isAllowed, "strace is missing or may not trace here"),
    .throttled,
    .timeLimit(.minutes(60))
)
struct ExactlyOnceTests {
    private static let clientCalls = [
        "fsync", "pwrite64", "renameat", "sendto", "recvfrom", "connect", "flock",
        "write", "openat", "close", "poll", "read", "futex",
    ]
    private static let backendCalls = [
        "fdatasync", "pwrite64", "sendmsg", "recvfrom", "openat", "close", "accept4", "fcntl",
        "ftruncate", "pread64", "epoll_wait", "shutdown",
    ]

    @Test(
        "a booking by a client that is killed at any step is made at most once, and can be resolved",
        arguments: clientCalls
    )
    func killedClient(call: String) async throws {
        let fixture = try await BackendFixture()
        try await Tracer.forEachStep(of: call) { tracer in
            let slot = fixture.slots.take()
            let client = try fixture.client(through: tracer)
            let reply = await client.book(slot.members, key: slot.time)
            client.child.endInput()
            let wasKilled = await client.child.exitCode() != 0
            try await fixture.expectExactlyOnce(reply, slot, "\(call) \(tracer.step)")
            return wasKilled
        }
    }

    @Test(
        "a booking at a backend that is killed at any step is made at most once, and can be resolved",
        arguments: backendCalls
    )
    func killedBackend(call: String) async throws {
        let fixture = try await BackendFixture()
        try await Tracer.forEachStep(of: call) { tracer in
            await fixture.stopBackend()
            // The backend may be killed before it listens. Then the booking does not reach it.
            let isRunning = await fixture.startBackend(through: tracer)
            let slot = fixture.slots.take()
            let client = try fixture.client()
            let reply = await client.book(slot.members, key: slot.time)
            await fixture.expectCleanExit(of: client, "\(call) \(tracer.step)")
            let wasKilled = await fixture.wasBackendKilled() || !isRunning
            try await fixture.restartBackend()
            try await fixture.expectExactlyOnce(reply, slot, "\(call) \(tracer.step)")
            return wasKilled
        }
    }
}
