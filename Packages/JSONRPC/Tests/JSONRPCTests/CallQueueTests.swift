import JSON
import Synchronization
import Testing

@testable import JSONRPC

@Suite("The queue of calls", .timeLimit(.minutes(1)))
struct CallQueueTests {
    private func order(
        bytes: Int = 1,
        reply: @escaping CallQueue.ReplyHandler = { _ in },
        _ work: @escaping @Sendable () async -> Void
    ) -> CallQueue.Order {
        CallQueue.Order(
            id: nil,
            bytes: bytes,
            effect: .changes,
            work: {
                await work()
                return .answered(.null)
            },
            reply: reply
        )
    }

    @Test("is not idle before the last reply was handed over: the output is closed then")
    func lastReply() async throws {
        let queue = CallQueue(limits: RPCLimits(), room: OutputRoom(limit: 1 << 20))
        let (replying, proceed) = (Signal(), Semaphore())
        let reply: CallQueue.ReplyHandler = { _ in
            replying.give()
            proceed.wait()
        }
        try queue.submit(order(reply: reply) {})
        await replying.wait()
        queue.cancelAll()
        queue.abandonAll()
        let isIdle = queue.state.withLock { $0.entries.isEmpty }
        #expect(!isIdle)
        proceed.signal()
        await queue.drain()
    }

    @Test("the bytes of a finished call are free for the next one")
    func bytes() async throws {
        var limits = RPCLimits()
        limits.maximumQueuedBytes = 10
        let queue = CallQueue(limits: limits, room: OutputRoom(limit: 1 << 20))
        for _ in 0..<3 {
            try queue.submit(order(bytes: 10) {})
            await queue.drain()
        }
        #expect(throws: RPCError.overloaded) { try queue.submit(order(bytes: 11) {}) }
    }

    @Test("a call that arrives while there is no room for its answer starts once there is")
    func room() async throws {
        let room = OutputRoom(limit: 1)
        let queue = CallQueue(limits: RPCLimits(), room: room)
        room.add(1)
        let hasStarted = Atomic(false)
        try queue.submit(order { hasStarted.store(true, ordering: .relaxed) })
        let isReady = queue.state.withLock { $0.busy == 0 && $0.entries.count == 1 }
        #expect(isReady)
        #expect(room.remove(1))
        queue.pump()
        await queue.drain()
        let isDone = hasStarted.load(ordering: .relaxed)
        #expect(isDone)
    }
}
