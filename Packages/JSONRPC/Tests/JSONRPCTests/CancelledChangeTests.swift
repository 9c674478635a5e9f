import Foundation
import JSONRPC
import JSONRPCTestSupport
import Testing

@Suite("A cancelled change", .timeLimit(.minutes(10)))
struct CancelledChangeTests {
    private func request(_ id: Int, _ method: String) -> String {
        #"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)"}"# + "\n"
    }

    private func lspCancel(_ id: Int) -> String {
        #"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":\#(id)}}"# + "\n"
    }

    /// Cancels with a protocol in which cancelled requests get no reply.
    private func drop(_ id: Int) -> String {
        #"{"jsonrpc":"2.0","method":"drop","params":{"request":\#(id)}}"# + "\n"
    }

    private var shortDrain: RPCLimits {
        var limits = RPCLimits()
        limits.drainTimeout = .milliseconds(1)
        return limits
    }

    private var shortTimeouts: RPCLimits {
        var limits = shortDrain
        limits.cancellationTimeout = .milliseconds(1)
        return limits
    }

    @Test(
        "whose handler throws: its error is the reply, even in a protocol that wants no reply",
        arguments: [true, false]
    )
    func handlerError(isLSP: Bool) async throws {
        let server = try TestServer()
        let connection = server.connection
        connection.send(request(1, "commit"))
        await server.gate.arrival()
        connection.send(isLSP ? lspCancel(1) : drop(1))
        let reply = await connection.line()
        #expect(reply?.contains(#""id":1,"#) == true && reply?.contains("1206") == true)
        connection.endInput()
        #expect(await connection.rest().isEmpty)
    }

    @Test("that succeeds anyway: the result is sent, and a second cancellation has no effect")
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

    @Test(
        "that changed nothing: the reply is -32800, or none if the protocol wants none"
    )
    func undone() async throws {
        let server = try TestServer()
        let connection = server.connection
        connection.send(request(1, "stopsClean"))
        await server.gate.arrival()
        connection.send(request(2, "change") + lspCancel(2) + drop(1))
        let reply = await connection.line()
        #expect(reply?.contains(#""id":2,"#) == true && reply?.contains("-32800") == true)
        await server.gate.cancellation()
        connection.send(request(3, "stopsClean") + lspCancel(3))
        #expect(await connection.line()?.contains(#""id":3,"error":{"code":-32800"#) == true)
        connection.endInput()
        #expect(await connection.rest().isEmpty)
    }

    @Test("that does not stop: an error that is not retryable is sent after the timeout")
    func stuck() async throws {
        let server = try TestServer(limits: shortTimeouts)
        let connection = server.connection
        connection.send(request(1, "stuck"))
        await server.gate.arrival()
        connection.send(lspCancel(1))
        let reply = await connection.line()
        #expect(reply?.contains("-32800") == true)
        #expect(reply?.contains(#""retryable":false"#) == true)
        // The reply of the handler comes too late and is dropped. Then the next change runs.
        connection.send(request(2, "change"))
        server.gate.open()
        #expect(await connection.line() == #"{"jsonrpc":"2.0","id":2,"result":2}"#)
        connection.endInput()
        #expect(await connection.rest().isEmpty)
    }

    @Test("that does not stop, in a protocol that wants no reply: none is sent")
    func stuckWithoutReply() async throws {
        let server = try TestServer(limits: shortTimeouts)
        let connection = server.connection
        connection.send(request(1, "stuck"))
        await server.gate.arrival()
        connection.send(drop(1) + request(2, "unknown"))
        #expect(await connection.line()?.contains(#""id":2,"#) == true)
        connection.endInput()
        #expect(await connection.rest().isEmpty)
        server.gate.open()
    }

    @Test(
        "at the end of input: its handler replies, and calls that have not started are retryable"
    )
    func endOfInput() async throws {
        let server = try TestServer(limits: shortDrain)
        let connection = server.connection
        connection.send(request(1, "commit") + request(2, "change") + request(3, "wait"))
        connection.endInput()
        let replies = await connection.rest().split(separator: "\n").sorted()
        try #require(replies.count == 3)
        #expect(replies[0].contains(#""id":1,"error":{"code":1206"#))
        for reply in replies[1...] {
            #expect(reply.contains("-32001") && reply.contains(#""retryable":true"#))
        }
        #expect(await connection.terminationReason() == .endOfInput)
    }

    @Test("that does not stop at the end of input: the error is not retryable")
    func stuckAtEnd() async throws {
        let server = try TestServer(limits: shortTimeouts)
        let connection = server.connection
        connection.send(request(1, "stuck"))
        connection.endInput()
        let reply = await connection.line()
        #expect(reply?.contains("-32001") == true)
        #expect(reply?.contains(#""retryable":false"#) == true)
        #expect(await connection.terminationReason() == .endOfInput)
        server.gate.open()
    }

    @Test("that began as a read: its handler replies, too")
    func changeLater() async throws {
        let server = try TestServer()
        let connection = server.connection
        connection.send(request(1, "commitLater"))
        await server.gate.arrival()
        connection.send(lspCancel(1))
        #expect(await connection.line()?.contains(#""id":1,"error":{"code":1206"#) == true)
        connection.endInput()
    }

    @Test("in a batch: its error completes the batch")
    func batch() async throws {
        let server = try TestServer()
        let connection = server.connection
        let commit = request(1, "commit").dropLast()
        connection.send("[\(commit),\(request(2, "ping").dropLast())]\n")
        await server.gate.arrival()
        connection.send(drop(1))
        let reply = await connection.line()
        #expect(reply?.hasPrefix("[") == true && reply?.contains("1206") == true)
        connection.endInput()
    }
}
