import Glibc
import JSON
import JSONRPCTestSupport
import Synchronization
import Testing

@testable import JSONRPC

@Suite("Calls on the reader's thread", .timeLimit(.minutes(1)))
struct PaceTests {
    private let queue = CallQueue(limits: RPCLimits(), room: OutputRoom(limit: 1 << 20))

    private func order(
        isQuick: Bool,
        id: String? = nil,
        reply: @escaping CallQueue.Reply = { _ in },
        _ work: @escaping @Sendable () async -> Void
    ) -> CallQueue.Order {
        let bytes = id.map { Array($0.utf8) }
        return CallQueue.Order(
            id: bytes.flatMap { bytes in
                (try? JSONDocument(parsing: bytes).root).map { RequestID(bytes: bytes, $0) }
            },
            bytes: 1,
            isChange: false,
            isQuick: isQuick,
            work: {
                await work()
                return .null
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
    func atOnce() async {
        let thread = pthread_self()
        let ran = Mutex<[Bool]>([])
        let gate = Gate()
        let isTaken = queue.submit(
            order(isQuick: true) { ran.withLock { $0.append(pthread_self() == thread) } }
        )
        #expect(isTaken && ran.withLock(\.self) == [true])
        let waits = queue.submit(
            order(isQuick: true) {
                await gate.wait()
                ran.withLock { $0.append(false) }
            }
        )
        #expect(waits && ran.withLock(\.count) == 1)
        gate.open()
        await queue.drain()
        #expect(ran.withLock(\.count) == 2)
    }

    @Test("a quick call that waits is cancelled as any other")
    func cancelled() async throws {
        let gate = Gate()
        let replies = Mutex<[JSONFragment?]>([])
        let taken = queue.submit(
            order(isQuick: true, id: "7", reply: { reply in replies.withLock { $0.append(reply) } })
            { await gate.wait() }
        )
        #expect(taken)
        queue.cancel(Array("7".utf8)) { JSONFragment(trusted: $0) }
        await gate.cancellation()
        await queue.drain()
        #expect(replies.withLock(\.self) == [JSONFragment(trusted: Array("7".utf8))])
    }

    @Test("a call that blocks its thread holds up neither its neighbours nor a cancel")
    func blocking() async throws {
        let blocked = Semaphore()
        let result = Method.Result("result", "anything")
        let methods = [
            Method("block", "blocks", result: result) { _ throws(RPCError) in
                blocked.wait()
                return .null
            },
            Method("ping", "answers", result: result) { _ throws(RPCError) in .null },
        ]
        let connection = try Connection(table: MethodTable(methods))
        let request = { (id: Int, name: String) in
            #"{"jsonrpc":"2.0","id":\#(id),"method":"\#(name)"}"# + "\n"
        }
        connection.send(request(1, "block") + request(2, "ping"))
        #expect(await connection.line()?.contains(#""id":2,"#) == true)
        let cancel = #"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1}}"#
        connection.send(cancel + "\n")
        #expect(await connection.line()?.contains("-32800") == true)
        blocked.signal()
        connection.endInput()
        #expect(await connection.ending() == .endOfInput)
    }
}
