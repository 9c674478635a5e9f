import Foundation
import JSONRPC
import JSONRPCTestSupport
import SystemTestSupport
import Testing

@Suite("Concurrent requests", .timeLimit(.minutes(10)))
struct ConcurrencyTests {
    private func request(_ id: Int, _ method: String) -> String {
        #"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)"}"# + "\n"
    }

    private func result(_ id: Int, _ result: String) -> String {
        #"{"jsonrpc":"2.0","id":\#(id),"result":\#(result)}"#
    }

    @Test("a slow request does not delay a fast one")
    func outOfOrder() async throws {
        let server = try TestServer()
        let connection = server.connection
        connection.send(request(1, "wait") + request(2, "ping"))
        #expect(await connection.line() == result(2, "null"))
        server.gate.open()
        #expect(await connection.line() == result(1, "\"waited\""))
        connection.endInput()
    }

    @Test("a read sent after a change sees the change")
    func readAfterChange() async throws {
        let server = try TestServer()
        let connection = server.connection
        connection.send(request(1, "change") + request(2, "change") + request(3, "counted"))
        connection.send(request(4, "unknown"))
        #expect(await connection.line()?.contains("-32601") == true)
        server.gate.open()
        var replies: [String?] = []
        for _ in 0..<3 { replies.append(await connection.line()) }
        #expect(replies == [result(1, "1"), result(2, "2"), result(3, "2")])
        connection.endInput()
    }

    @Test("a cancelled request gets the error -32800 immediately, and its task is cancelled")
    func cancel() async throws {
        let server = try TestServer()
        let connection = server.connection
        connection.send(request(1, "wait"))
        await server.gate.arrival()
        connection.send(request(2, "change"))
        let cancel = #"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1}}"#
        connection.send(cancel + "\n")
        let reply = await connection.line()
        #expect(reply?.contains("\"id\":1,") == true && reply?.contains("-32800") == true)
        await server.gate.cancellation()
        server.gate.open()
        #expect(await connection.line() == result(2, "1"))
        connection.endInput()
    }

    @Test("cancelling an unknown request has no effect")
    func cancelUnknown() async throws {
        let server = try TestServer()
        let connection = server.connection
        for params in ["{\"id\":9}", "{}", "[]", "null"] {
            let method = #""method":"$/cancelRequest""#
            connection.send(#"{"jsonrpc":"2.0",\#(method),"params":\#(params)}"# + "\n")
        }
        connection.send(request(1, "ping"))
        #expect(await connection.line() == result(1, "null"))
        connection.endInput()
    }

    @Test("a call can be cancelled after an earlier cancellation")
    func cancelAgain() async throws {
        let server = try TestServer()
        let connection = server.connection
        func cancel(_ id: Int) {
            let method = #""method":"$/cancelRequest""#
            connection.send(#"{"jsonrpc":"2.0",\#(method),"params":{"id":\#(id)}}"# + "\n")
        }
        cancel(9)
        connection.send(request(1, "wait"))
        await server.gate.arrival()
        cancel(1)
        #expect(await connection.line()?.contains("-32800") == true)
        await server.gate.cancellation()
        connection.endInput()
    }

    @Test("10,000 pipelined requests all get a reply")
    func pipelined() async throws {
        let server = try TestServer()
        let connection = server.connection
        let all = (0..<10_000).map { request($0, "ping") }.joined()
        async let sent: Void = onThread {
            connection.send(all)
            connection.endInput()
        }
        let replies = await connection.rest().split(separator: "\n")
        await sent
        #expect(Set(replies).count == 10_000)
        #expect(await connection.terminationReason() == .endOfInput)
    }

    @Test("a protocol extension can cancel requests without a reply")
    func cancelWithoutReply() async throws {
        let server = try TestServer()
        let connection = server.connection
        connection.send(request(1, "wait"))
        await server.gate.arrival()
        let params = #"{"request":1,"reason":"no longer needed"}"#
        let cancel = #"{"jsonrpc":"2.0","method":"drop","params":\#(params)}"#
        connection.send(cancel + "\n")
        await server.gate.cancellation()
        connection.send(request(2, "ping"))
        connection.endInput()
        #expect(await connection.rest() == result(2, "null") + "\n")
    }

    @Test("a cancellation may spell the id differently")
    func cancelByOtherSpelling() async throws {
        let server = try TestServer()
        let connection = server.connection
        connection.send(#"{"jsonrpc":"2.0","id":"\u0061","method":"wait"}"# + "\n")
        await server.gate.arrival()
        connection.send(#"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":"a"}}"# + "\n")
        #expect(await connection.line()?.contains(#""id":"\u0061""#) == true)
        connection.endInput()
    }

    @Test("after a waiting change is cancelled, later calls still wait for the changes before it")
    func cancelledChangeKeepsOrder() async throws {
        let server = try TestServer()
        let connection = server.connection
        connection.send(request(1, "change") + request(2, "change") + request(3, "counted"))
        connection.send(#"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":2}}"# + "\n")
        #expect(await connection.line()?.contains("-32800") == true)
        server.gate.open()
        #expect(await connection.line() == result(1, "1"))
        #expect(await connection.line() == result(3, "1"))
        connection.endInput()
    }

    @Test("a call that has become a change delays later reads")
    func changeInTurn() async throws {
        let server = try TestServer()
        let connection = server.connection
        connection.send(request(1, "changeLaterAtGate"))
        await server.gate.arrival()
        connection.send(request(2, "counted") + request(3, "unknown"))
        #expect(await connection.line()?.contains("-32601") == true)
        server.gate.open()
        #expect(await connection.line() == result(1, "1"))
        #expect(await connection.line() == result(2, "1"))
        connection.endInput()
    }

    @Test("a call that will become a change does not delay other calls until then")
    func changeLater() async throws {
        let server = try TestServer()
        let connection = server.connection
        connection.send(request(1, "changeLater"))
        await server.gate.arrival()
        connection.send(request(2, "counted"))
        #expect(await connection.line() == result(2, "0"))
        server.gate.open()
        #expect(await connection.line() == result(1, "1"))
        connection.endInput()
    }

    @Test("accepted calls finish after the end of input")
    func drain() async throws {
        let server = try TestServer()
        let connection = server.connection
        connection.send(request(1, "wait") + request(2, "ping"))
        connection.endInput()
        #expect(await connection.line() == result(2, "null"))
        server.gate.open()
        #expect(await connection.line() == result(1, "\"waited\""))
        #expect(await connection.terminationReason() == .endOfInput)
    }

    @Test("calls that do not finish in time fail with an error, and the server stops")
    func drainDeadline() async throws {
        var limits = RPCLimits()
        limits.drainTimeout = .milliseconds(1)
        let server = try TestServer(limits: limits)
        let connection = server.connection
        connection.send(request(1, "wait") + request(2, "wait"))
        connection.endInput()
        for id in 1...2 {
            let reply = await connection.line()
            #expect(reply?.contains("\"id\":\(id),") == true && reply?.contains("-32001") == true)
        }
        #expect(await connection.terminationReason() == .endOfInput)
    }
}
