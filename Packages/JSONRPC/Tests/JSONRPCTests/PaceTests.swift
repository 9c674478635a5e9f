import Glibc
import JSON
import Synchronization
import Testing

@testable import JSONRPC

@Suite("Calls on the reader's thread", .timeLimit(.minutes(1)))
struct PaceTests {
    private let queue = CallQueue(limits: RPCLimits(), room: OutputRoom(limit: 1 << 20))

    private func order(
        isQuick: Bool,
        id: String? = nil,
        reply: @escaping CallQueue.ReplyHandler = { _ in },
        _ work: @escaping @Sendable () async -> Void
    ) -> CallQueue.Order {
        let bytes = id.map { Array($0.utf8) }
        return CallQueue.Order(
            id: bytes.flatMap { bytes in
                (try? JSONDocument(parsing: bytes).root).map { RequestID(bytes: bytes, $0) }
            },
            bytes: 1,
            effect: .reads,
            isQuick: isQuick,
            work: {
                await work()
                return .answered(.null)
            },
            reply: reply
        )
    }

    @Test("a kind of calls is quick when the last of them was")
    func remembered() async {
        let pace = Pace()
        #expect(!pace.isQuick("a"))
        pace.note("a", took: .microseconds(199))
        #expect(pace.isQuick("a") && !pace.isQuick("b"))
        pace.note("a", took: .microseconds(200))
        #expect(!pace.isQuick("a"))
    }

    @Test("a quick call is done when it has been taken; one that waits holds up nobody")
    func atOnce() async throws {
        let thread = pthread_self()
        let ran = Mutex<[Bool]>([])
        let gate = Gate()
        try queue.submit(
            order(isQuick: true) { ran.withLock { $0.append(pthread_self() == thread) } }
        )
        #expect(ran.withLock(\.self) == [true])
        try queue.submit(
            order(isQuick: true) {
                await gate.wait()
                ran.withLock { $0.append(false) }
            }
        )
        #expect(ran.withLock(\.count) == 1)
        gate.open()
        await queue.drain()
        #expect(ran.withLock(\.count) == 2)
    }

    @Test("a quick call that waits is cancelled as any other")
    func cancelled() async throws {
        let gate = Gate()
        let replies = Mutex<[JSONFragment?]>([])
        try queue.submit(
            order(isQuick: true, id: "7", reply: { reply in replies.withLock { $0.append(reply) } })
            { await gate.wait() }
        )
        queue.cancel(Array("7".utf8), .request)
        await gate.cancellation()
        await queue.drain()
        let cancelled = Reply.error(.requestCancelled, id: Array("7".utf8))
        #expect(replies.withLock(\.self) == [cancelled])
    }

    @Test("a call of which nothing is known blocks another thread, and its taker goes on")
    func blocking() async throws {
        let blocked = Semaphore()
        // Would not return if it ran here. What releases it must need no thread of the pool.
        try queue.submit(order(isQuick: false) { blocked.wait() })
        blocked.signal()
        await queue.drain()
    }
}
