import DomainTestSupport
import Testing

@Suite("Pauses in the hands of a test")
struct ManualPausesTests {
    @Test("one lasts until the test ends it, and each is noted with its length")
    func ended() async throws {
        let pauses = ManualPauses()
        let task = Task { try await pauses.pause(for: .milliseconds(20)) }
        await pauses.wait()
        #expect(pauses.requested == [.milliseconds(20)] && pauses.pendingCount == 1)
        pauses.endAll()
        try await task.value
        #expect(pauses.pendingCount == 0)
    }

    @Test("a cancelled one throws, whether it has begun or not", arguments: [true, false])
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
}
