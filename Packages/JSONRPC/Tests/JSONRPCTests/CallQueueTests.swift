import JSON
import Synchronization
import Testing

@testable import JSONRPC

@Suite("The queue of calls", .timeLimit(.minutes(1)))
struct CallQueueTests {
    private var small: RPCLimits {
        var limits = RPCLimits()
        limits.maximumQueuedBytes = 30
        return limits
    }

    private func bytes(_ queue: CallQueue) -> Int { queue.state.withLock { $0.bytes } }

    @Test("takes calls up to its limit exactly, and gives their memory back when they end")
    func memory() async throws {
        let queue = CallQueue(limits: small, room: OutputRoom(limit: 1 << 20))
        for _ in 0..<10 {
            let gate = Gate()
            for _ in 0..<3 { try queue.submit(order(bytes: 10) { await gate.wait() }) }
            #expect(throws: RPCError.overloaded) { try queue.submit(order(bytes: 1) {}) }
            #expect(bytes(queue) == 30)
            gate.open()
            await queue.drain()
            #expect(bytes(queue) == 0)
        }
    }

    @Test("gives back the memory of calls that were cancelled, too")
    func cancelledMemory() async throws {
        let queue = CallQueue(limits: small, room: OutputRoom(limit: 1 << 20))
        let gate = Gate()
        var cancelled = order(bytes: 10) {}
        cancelled.id = RequestID(bytes: [0x37], try JSONDocument(parsing: [0x37]).root)
        try queue.submit(order(bytes: 20) { await gate.wait() })
        try queue.submit(cancelled)
        queue.cancel([0x37], .request)
        gate.open()
        await queue.drain()
        #expect(bytes(queue) == 0)
    }

    @Test("takes a call of any size when it is the only one")
    func alone() async throws {
        let queue = CallQueue(limits: small, room: OutputRoom(limit: 1 << 20))
        let gate = Gate()
        try queue.submit(order(bytes: 1_000) { await gate.wait() })
        #expect(throws: RPCError.overloaded) { try queue.submit(order(bytes: 1) {}) }
        gate.open()
        await queue.drain()
    }

    @Test(
        "a small message counts as the memory that was measured, and a long one as ten times more"
    )
    func estimate() {
        #expect(CallQueue.memory(ofMessage: 54) >= 1_400)
        #expect(CallQueue.memory(ofMessage: 115) >= 2_990)
        let longer = CallQueue.memory(ofMessage: 2 << 20) - CallQueue.memory(ofMessage: 1 << 20)
        #expect(longer == 10 << 20)
    }

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
        let wasIdle = Mutex<Bool?>(nil)
        // While the reply is handed over, the connection ends.
        let reply: CallQueue.ReplyHandler = { _ in
            queue.cancelAll()
            queue.abandonAll()
            let isIdle = queue.state.withLock { $0.entries.isEmpty }
            wasIdle.withLock { $0 = isIdle }
        }
        try queue.submit(order(reply: reply) {})
        await queue.drain()
        let seen = wasIdle.withLock(\.self)
        #expect(seen == false)
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
