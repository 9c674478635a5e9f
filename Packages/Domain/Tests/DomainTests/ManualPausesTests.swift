import DomainTestSupport
import Testing

@Suite("Pauses that a test controls")
struct ManualPausesTests {
    @Test("a pause lasts until the test ends it, and its duration is recorded")
    func ended() async throws {
        let pauses = ManualPauses()
        let task = Task { try await pauses.pause(for: .milliseconds(20)) }
        await pauses.wait()
        #expect(pauses.requested == [.milliseconds(20)] && pauses.pendingCount == 1)
        pauses.endAll()
        try await task.value
        #expect(pauses.pendingCount == 0)
    }

    @Test("a cancelled pause throws, whether it has started or not", arguments: [true, false])
    func cancelled(hasBegun: Bool) async {
        let pauses = ManualPauses()
        let task = Task {
            if !hasBegun { withUnsafeCurrentTask { $0?.cancel() } }
            try await pauses.pause(for: .milliseconds(20))
        }
        await pauses.wait()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(pauses.pendingCount == 0)
    }

    @Test("at the end of a test, those that have started and all later ones are cancelled")
    func end() async {
        let pauses = ManualPauses()
        let task = Task { try await pauses.pause(for: .milliseconds(20)) }
        await pauses.wait()
        pauses.cancelAll()
        await #expect(throws: CancellationError.self) { try await task.value }
        await #expect(throws: CancellationError.self) { try await pauses.pause(for: .seconds(1)) }
        #expect(pauses.pendingCount == 0)
    }
}
