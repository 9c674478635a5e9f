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
}
