import Foundation
import JSON
import Testing

/// A change while its client or its backend is killed, as ``ExactlyOnceTests`` has it for bookings.
@Suite(
    "Exactly once: changes",
    .enabled(if: Tracer.isAllowed, "strace is missing or may not trace here"),
    .fewAtOnce,
    .timeLimit(.minutes(10))
)
struct ChangeOnceTests {
    private static let methods = ["appointments/reschedule", "appointments/cancel"]
    private static let clientCalls = [
        "fsync", "pwrite64", "renameat", "sendto", "recvfrom", "connect", "flock", "write",
    ]
    private static let backendCalls = ["fdatasync", "pwrite64", "sendmsg", "recvfrom"]

    @Test(
        "a client that is killed at any step has changed once or not at all, and can find out which",
        arguments: methods,
        clientCalls
    )
    func killedClient(method: String, call: String) async throws {
        let scene = try await Scene()
        let other = try scene.stranger()
        var step = 0
        var wasKilled = true
        while wasKilled {
            step += 1
            let change = try await scene.change(method, through: other)
            let client = try scene.client(through: Tracer(call: call, step: step))
            let reply = await client.reply(to: change.method, change.params)
            client.child.endInput()
            wasKilled = await client.child.exitCode() != 0
            try await scene.check(reply, change, "\(method) \(call) \(step)")
        }
        #expect(step > 1, "\(call) was never called")
        print("\(method) killed at \(call): \(step - 1) times")
    }

    @Test(
        "a backend that is killed at any step has changed once or not at all, and nobody doubts it",
        arguments: methods,
        backendCalls
    )
    func killedBackend(method: String, call: String) async throws {
        let scene = try await Scene()
        let other = try scene.stranger()
        var step = 0
        var wasKilled = true
        while wasKilled {
            step += 1
            let change = try await scene.change(method, through: other)
            await scene.stopBackend()
            // It may be killed before it listens at all: then no change was begun.
            let isRunning = await scene.startBackend(through: Tracer(call: call, step: step))
            let client = try scene.client()
            let reply = await client.reply(to: change.method, change.params)
            await scene.expectCleanExit(of: client, "\(call) \(step)")
            wasKilled = await scene.wasBackendKilled() || !isRunning
            await scene.stopBackend()
            try #require(await scene.startBackend())
            try await scene.check(reply, change, "\(method) \(call) \(step)")
        }
        #expect(step > 1, "\(call) was never called")
        print("\(method) killed at \(call): \(step - 1) times")
    }
}
