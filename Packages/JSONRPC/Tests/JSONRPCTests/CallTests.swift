import JSON
import Synchronization
import Testing

@testable import JSONRPC

@Suite("A call that waits", .timeLimit(.minutes(1)))
struct CallTests {
    private let queue = CallQueue(
        limits: RPCLimits(),
        backpressure: OutputBackpressure(limit: 1 << 20)
    )

    private var call: Call {
        Call(
            params: Params(),
            givenParams: nil,
            id: nil,
            peer: Peer(send: { _ in }, outgoing: OutgoingRequests(idPrefix: "")),
            progress: nil,
            queue: queue
        )
    }

    @Test("counts as running again in its turn and afterward")
    func turn() async throws {
        let counts = try await call.inTurn { () throws(RPCError) in queue.runningCount }
        #expect(counts == 0 && queue.runningCount == 0)
        #expect(!queue.hasChanges)
    }

    @Test("does not count as running while other calls run, and counts afterward")
    func others() async throws {
        let count = try await call.whileOthersRun { () throws(RPCError) in queue.runningCount }
        #expect(count == -1 && queue.runningCount == 0)
    }

    @Test("counts as running again at the end of the input")
    func inputEnd() async {
        await queue.drain()
        await call.untilEnd()
        #expect(queue.runningCount == 0)
    }

    @Test("is not run in its turn if it was cancelled before, and leaves no change behind")
    func cancelled() async {
        let call = call
        let hasRun = Atomic(false)
        let slot = queue.reserveSlot(nil)
        let task = Task {
            try await call.inTurn { () throws(RPCError) in
                hasRun.store(true, ordering: .relaxed)
            }
        }
        task.cancel()
        await #expect(throws: RPCError.requestCancelled) { try await task.value }
        queue.releaseSlot(slot)
        let isRun = hasRun.load(ordering: .relaxed)
        #expect(!isRun && !queue.hasChanges && queue.runningCount == 0)
    }

    @Test("with other params stays the same call")
    func otherParams() {
        let steps = Mutex<[String]>([])
        var call = call
        call.progressListener = { step in steps.withLock { $0.append(step) } }
        let other = call.with(Params().defaulting("a", to: JSONFragment { $0.integer(1) }))
        other.report("one")
        #expect(steps.withLock(\.self) == ["one"])
        #expect(other.params.value("a") != nil && call.params.value("a") == nil)
    }
}
