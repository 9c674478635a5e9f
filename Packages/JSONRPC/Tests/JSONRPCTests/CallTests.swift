import JSON
import Synchronization
import Testing

@testable import JSONRPC

@Suite("A waiting call", .timeLimit(.minutes(10)))
struct CallTests {
    private let queue = CallQueue(
        limits: RPCLimits(),
        backpressure: OutputBackpressure(limit: 1 << 20)
    )

    private var call: Call {
        Call(
            params: Params(),
            rawParams: nil,
            id: nil,
            peer: .disconnected,
            progress: nil,
            queue: queue
        )
    }

    @Test("counts as running again during its change and afterward")
    func turn() async throws {
        let count = try await call.inTurn { queue.runningCount }
        #expect(count == 0 && queue.runningCount == 0)
        #expect(!queue.hasChanges)
    }

    @Test("does not count as running while it waits for something slow, and counts afterward")
    func others() async throws {
        let count = try await call.withoutCountingAsRunning {
            queue.runningCount
        }
        #expect(count == -1 && queue.runningCount == 0)
    }

    @Test("counts as running again after the end of input")
    func inputEnd() async {
        await queue.drain()
        await call.waitForInputEnd()
        #expect(queue.runningCount == 0)
    }

    @Test("does not run its change if it was cancelled before, and blocks no later calls")
    func cancelled() async {
        let call = call
        let hasRun = Atomic(false)
        let slot = queue.reserveSlot(nil)
        let task = Task {
            try await call.inTurn {
                hasRun.store(true, ordering: .relaxed)
            }
        }
        task.cancel()
        await #expect(throws: RPCError.requestCancelled) { try await task.value }
        queue.releaseSlot(slot)
        let isRun = hasRun.load(ordering: .relaxed)
        #expect(!isRun && !queue.hasChanges && queue.runningCount == 0)
    }

    @Test("with different params still reports progress to the same listener")
    func otherParams() {
        let steps = Mutex<[String]>([])
        var call = call
        call.progressListener = { step in steps.withLock { $0.append(step) } }
        let other = call.with(Params().setting("a", to: JSONFragment { $0.integer(1) }))
        other.report("one")
        #expect(steps.withLock(\.self) == ["one"])
        #expect(other.params.value("a") != nil && call.params.value("a") == nil)
    }
}
