import Foundation
import JSONRPC
import JSONRPCTestSupport
import Testing

@Suite("A change that is cancelled", .timeLimit(.minutes(1)))
struct CancelledChangeTests {
    private func request(_ id: Int, _ method: String) -> String {
        #"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)"}"# + "\n"
    }

    private func lspCancel(_ id: Int) -> String {
        #"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":\#(id)}}"# + "\n"
    }

    private func mcpCancel(_ id: Int) -> String {
        let params = #""params":{"requestId":\#(id)}"#
        return #"{"jsonrpc":"2.0","method":"notifications/cancelled",\#(params)}"# + "\n"
    }

    private var ending: RPCLimits {
        var limits = RPCLimits()
        limits.drainMilliseconds = 1
        return limits
    }

    private var impatient: RPCLimits {
        var limits = ending
        limits.cancellationMilliseconds = 1
        return limits
    }

    @Test(
        "while it runs, by LSP or MCP: it is answered with the error that its handler throws",
        arguments: [true, false]
    )
    func handlerError(isLSP: Bool) async throws {
        let server = try TestServer()
        let connection = server.connection
        connection.send(request(1, "commit"))
        await server.gate.arrival()
        connection.send(isLSP ? lspCancel(1) : mcpCancel(1))
        let reply = await connection.line()
        #expect(reply?.contains(#""id":1,"#) == true && reply?.contains("1206") == true)
        connection.endInput()
        #expect(await connection.rest().isEmpty)
    }

    @Test("but succeeds: the success is sent, and the cancel is not answered a second time")
    func success() async throws {
        let server = try TestServer()
        let connection = server.connection
        connection.send(request(1, "change"))
        await server.gate.arrival()
        connection.send(lspCancel(1) + lspCancel(1))
        #expect(await connection.line() == #"{"jsonrpc":"2.0","id":1,"result":1}"#)
        connection.endInput()
        #expect(await connection.rest().isEmpty)
    }

    @Test("before its handler did anything: LSP gets -32800, MCP nothing")
    func undone() async throws {
        let server = try TestServer()
        let connection = server.connection
        connection.send(request(1, "stopsClean"))
        await server.gate.arrival()
        connection.send(request(2, "change") + lspCancel(2) + mcpCancel(1))
        let reply = await connection.line()
        #expect(reply?.contains(#""id":2,"#) == true && reply?.contains("-32800") == true)
        await server.gate.cancellation()
        connection.send(request(3, "stopsClean") + lspCancel(3))
        #expect(await connection.line()?.contains(#""id":3,"error":{"code":-32800"#) == true)
        connection.endInput()
        #expect(await connection.rest().isEmpty)
    }

    @Test("and does not stop: it is answered after the grace period, and never as retryable")
    func stuck() async throws {
        let server = try TestServer(limits: impatient)
        let connection = server.connection
        connection.send(request(1, "stuck"))
        await server.gate.arrival()
        connection.send(lspCancel(1))
        let reply = await connection.line()
        #expect(reply?.contains("-32800") == true)
        #expect(reply?.contains(#""retryable":false"#) == true)
        // Its own answer, which comes too late, is dropped, and the change behind it runs then.
        connection.send(request(2, "change"))
        server.gate.open()
        #expect(await connection.line() == #"{"jsonrpc":"2.0","id":2,"result":2}"#)
        connection.endInput()
        #expect(await connection.rest().isEmpty)
    }

    @Test("by MCP, and does not stop: no answer is sent")
    func stuckWithoutAnswer() async throws {
        let server = try TestServer(limits: impatient)
        let connection = server.connection
        connection.send(request(1, "stuck"))
        await server.gate.arrival()
        connection.send(mcpCancel(1) + request(2, "nobody"))
        #expect(await connection.line()?.contains(#""id":2,"#) == true)
        connection.endInput()
        #expect(await connection.rest().isEmpty)
        server.gate.open()
    }

    @Test("by the end of the input: its handler answers, what has not begun may be repeated")
    func endOfInput() async throws {
        let server = try TestServer(limits: ending)
        let connection = server.connection
        connection.send(request(1, "commit") + request(2, "change") + request(3, "wait"))
        connection.endInput()
        let replies = await connection.rest().split(separator: "\n").sorted()
        try #require(replies.count == 3)
        #expect(replies[0].contains(#""id":1,"error":{"code":1206"#))
        for reply in replies[1...] {
            #expect(reply.contains("-32001") && reply.contains(#""retryable":true"#))
        }
        #expect(await connection.ending() == .endOfInput)
    }

    @Test("by the end of the input, and does not stop: it is answered as not retryable")
    func stuckAtEnd() async throws {
        let server = try TestServer(limits: impatient)
        let connection = server.connection
        connection.send(request(1, "stuck"))
        connection.endInput()
        let reply = await connection.line()
        #expect(reply?.contains("-32001") == true)
        #expect(reply?.contains(#""retryable":false"#) == true)
        #expect(await connection.ending() == .endOfInput)
        server.gate.open()
    }

    @Test("after it became one on its way: its handler answers, too")
    func changeLater() async throws {
        let server = try TestServer()
        let connection = server.connection
        connection.send(request(1, "commitLater"))
        await server.gate.arrival()
        connection.send(lspCancel(1))
        #expect(await connection.line()?.contains(#""id":1,"error":{"code":1206"#) == true)
        connection.endInput()
    }

    @Test("in a batch: the batch is complete with its answer")
    func batch() async throws {
        let server = try TestServer()
        let connection = server.connection
        let commit = request(1, "commit").dropLast()
        connection.send("[\(commit),\(request(2, "ping").dropLast())]\n")
        await server.gate.arrival()
        connection.send(mcpCancel(1))
        let reply = await connection.line()
        #expect(reply?.hasPrefix("[") == true && reply?.contains("1206") == true)
        connection.endInput()
    }
}
