import Glibc
import JSON
import JSONRPCTestSupport
import Synchronization
import SystemSupport
import Testing

@testable import JSONRPC

// Serialized, because handlers of several tests block a thread of Swift's pool, which has one thread
// per processor core.
@Suite("Fast calls", .serialized, .timeLimit(.minutes(10)))
struct FastCallTests {
    private let queue = CallQueue(
        limits: RPCLimits(),
        backpressure: OutputBackpressure(limit: 1 << 20)
    )

    private func call(
        isFast: Bool,
        id: String? = nil,
        reply: @escaping QueuedCall.ReplyHandler = { _ in },
        _ work: @escaping @Sendable () async -> Void
    ) -> QueuedCall {
        let bytes = id.map { Array($0.utf8) }
        return QueuedCall(
            id: bytes.flatMap { bytes in
                (try? JSONDocument(parsing: bytes).root).map { RequestID(bytes: bytes, $0) }
            },
            bytes: 1,
            effect: .reads,
            isFast: isFast,
            work: {
                await work()
                return .replied(.null)
            },
            reply: reply
        )
    }

    @Test("a group of calls is fast if its last call took less than 0.2 ms")
    func tracker() {
        let tracker = LatencyTracker()
        #expect(!tracker.isFast("a"))
        tracker.record("a", .microseconds(199))
        #expect(tracker.isFast("a") && !tracker.isFast("b"))
        tracker.record("a", .microseconds(200))
        #expect(!tracker.isFast("a"))
    }

    @Test("a fast call runs before `submit` returns; if it suspends, `submit` returns")
    func inline() async throws {
        let thread = pthread_self()
        let ran = Mutex<[Bool]>([])
        let gate = Gate()
        let isCancelled = Atomic(false)
        try queue.submit(
            call(isFast: true) { ran.withLock { $0.append(pthread_self() == thread) } }
        )
        #expect(ran.withLock(\.self) == [true])
        try queue.submit(
            call(isFast: true) {
                await gate.wait()
                isCancelled.store(Task.isCancelled, ordering: .relaxed)
                ran.withLock { $0.append(false) }
            }
        )
        #expect(ran.withLock(\.count) == 1)
        gate.open()
        await queue.drain()
        #expect(ran.withLock(\.count) == 2)
        let wasCancelled = isCancelled.load(ordering: .relaxed)
        #expect(!wasCancelled)
    }

    @Test("a suspended fast call can be cancelled like any other call")
    func cancelled() async throws {
        let gate = Gate()
        let replies = Mutex<[JSONFragment?]>([])
        try queue.submit(
            call(isFast: true, id: "7", reply: { reply in replies.withLock { $0.append(reply) } }) {
                await gate.wait()
            }
        )
        queue.cancel(Array("7".utf8), .byCaller(getsReply: true))
        await gate.cancellation()
        await queue.drain()
        let cancelled = Reply.error(.requestCancelled, id: Array("7".utf8))
        #expect(replies.withLock(\.self) == [cancelled])
    }

    @Test("a fast call that is cancelled before `submit` returns is cancelled")
    func cancelledEarly() async throws {
        let gate = Gate()
        let queue = queue
        try queue.submit(
            call(isFast: true, id: "7") {
                // The task runs inside `submit`, before the queue has stored it.
                queue.cancel(Array("7".utf8), .byCaller(getsReply: true))
                await gate.wait()
            }
        )
        await gate.cancellation()
        await queue.drain()
    }

    @Test("the first call of a method does not block the thread that reads the input")
    func firstCall() async throws {
        let blocked = Semaphore()
        let method = Method("block", "Blocks.", result: .init("nothing", "nothing")) {
            _ in
            blocked.wait()
            return .null
        }
        let connection = try RawConnection(table: MethodTable([method]))
        connection.send(#"{"jsonrpc":"2.0","id":1,"method":"block"}"# + "\n")
        connection.send(#"{"jsonrpc":"2.0","id":2,"method":"unknown"}"# + "\n")
        #expect(await connection.line()?.contains("-32601") == true)
        blocked.signal()
        #expect(await connection.line() == #"{"jsonrpc":"2.0","id":1,"result":null}"#)
        connection.endInput()
    }

    @Test(
        "a fast change, or a method that may not run inline, does not block the reading thread",
        arguments: [Method.Effect.changes(), .reads]
    )
    func notInline(effect: Method.Effect) async throws {
        let blocked = Semaphore()
        let calls = Atomic(0)
        var method = Method(
            "change",
            "Blocks from the second call on.",
            result: .init("nothing", "nothing"),
            effect: effect
        ) { _ in
            if calls.wrappingAdd(1, ordering: .relaxed).oldValue > 0 { blocked.wait() }
            return .null
        }
        method.mayRunInline = effect != .reads
        let connection = try RawConnection(table: MethodTable([method]))
        connection.send(#"{"jsonrpc":"2.0","id":1,"method":"change"}"# + "\n")
        #expect(await connection.line() == #"{"jsonrpc":"2.0","id":1,"result":null}"#)
        connection.send(#"{"jsonrpc":"2.0","id":2,"method":"change"}"# + "\n")
        connection.send(#"{"jsonrpc":"2.0","id":3,"method":"unknown"}"# + "\n")
        #expect(await connection.line()?.contains("-32601") == true)
        blocked.signal()
        #expect(await connection.line() == #"{"jsonrpc":"2.0","id":2,"result":null}"#)
        connection.endInput()
    }

    @Test("a call that is not known to be fast runs on a different thread")
    func blocking() async throws {
        let blocked = Semaphore()
        // If the call ran on this thread, `submit` would not return.
        try queue.submit(call(isFast: false) { blocked.wait() })
        blocked.signal()
        await queue.drain()
    }
}
