import JSONRPC
import JSONRPCTestSupport
import Testing

@Suite("Messages from a handler before its reply", .timeLimit(.minutes(10)))
struct PeerTests {
    private func request(_ id: Int, _ method: String, _ params: String = "null") -> String {
        #"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":\#(params)}"# + "\n"
    }

    private func result(_ id: Int, _ result: String) -> String {
        #"{"jsonrpc":"2.0","id":\#(id),"result":\#(result)}"#
    }

    private func id(of message: String?) -> Substring? {
        message?.split(separator: #""id":"#).last?.split(separator: ",").first
    }

    @Test("a request to the peer returns its response")
    func question() async throws {
        let server = try TestServer()
        let connection = server.connection
        connection.send(request(1, "ask"))
        let question = await connection.line()
        #expect(question?.contains(#""method":"question""#) == true)
        let id = try #require(self.id(of: question))
        // The id begins with the name of the server.
        #expect(id == "\"test-1\"")
        connection.send(#"{"jsonrpc":"2.0","id":"unknown","result":0}"# + "\n")
        connection.send(#"{"jsonrpc":"2.0","id":\#(id),"result":[1,"yes"]}"# + "\n")
        #expect(await connection.line() == result(1, #"[1,"yes"]"#))
        connection.endInput()
    }

    @Test("an error from the peer becomes the error of the call")
    func rejectedQuestion() async throws {
        let server = try TestServer()
        let connection = server.connection
        connection.send(request(1, "ask"))
        let question = await connection.line()
        let id = try #require(self.id(of: question))
        let error = #"{"code":-1,"message":"no"}"#
        connection.send(#"{"jsonrpc":"2.0","id":\#(id),"error":\#(error)}"# + "\n")
        #expect(await connection.line()?.contains(error) == true)
        connection.endInput()
    }

    @Test("a cancelled call cancels its request to the peer")
    func cancelledQuestion() async throws {
        let server = try TestServer()
        let connection = server.connection
        connection.send(request(1, "ask"))
        _ = await connection.line()
        connection.send(#"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1}}"# + "\n")
        let lines = [await connection.line(), await connection.line()].compactMap(\.self)
        let forget = #"{"jsonrpc":"2.0","method":"forget","params":{"question":"test-1"}}"#
        #expect(lines.contains(forget))
        #expect(lines.contains { $0.contains("-32800") })
        connection.endInput()
    }

    @Test("a request without a response fails at the end of input")
    func questionWithoutResponse() async throws {
        let server = try TestServer()
        let connection = server.connection
        connection.send(request(1, "ask"))
        _ = await connection.line()
        connection.endInput()
        #expect(await connection.line()?.contains("-32011") == true)
        #expect(await connection.terminationReason() == .endOfInput)
    }

    @Test("a call that waits for the end of input can still reply")
    func waitForInputEnd() async throws {
        let server = try TestServer()
        let connection = server.connection
        connection.send(request(1, "listen") + request(2, "ping"))
        #expect(await connection.line() == result(2, "null"))
        connection.endInput()
        #expect(await connection.line() == result(1, "\"ended\""))
        #expect(await connection.terminationReason() == .endOfInput)
    }

    @Test("a protocol extension defines its own progress token and format")
    func extensionProgress() async throws {
        let server = try TestServer()
        let connection = server.connection
        connection.send(request(1, "steps", #"{"token":"t"}"#))
        connection.endInput()
        let replies = await connection.rest().split(separator: "\n")
        let head = #"{"jsonrpc":"2.0","method":"step","params":"#
        try #require(replies.count == 3)
        #expect(replies[0] == head + #"["t",1,"one","Takes two steps."]}"#)
        #expect(replies[1] == head + #"["t",2,"two","Takes two steps."]}"#)
        #expect(replies[2] == result(1, "null"))
    }

    @Test("with a workDoneToken, LSP progress begins, reports, and ends before the reply")
    func workDoneToken() async throws {
        let server = try TestServer()
        let connection = server.connection
        connection.send(request(1, "steps", #"{"workDoneToken":7}"#))
        connection.endInput()
        let replies = await connection.rest().split(separator: "\n")
        let head = #"{"jsonrpc":"2.0","method":"$/progress","params":{"token":7,"value":"#
        let begin = #"{"kind":"begin","title":"Takes two steps.","message":"one"}}}"#
        try #require(replies.count == 4)
        #expect(replies[0] == head + begin)
        #expect(replies[1] == head + #"{"kind":"report","message":"two"}}}"#)
        #expect(replies[2] == head + #"{"kind":"end"}}}"#)
        #expect(replies[3] == result(1, "null"))
    }

    @Test("without a token, or with an object as the token, there is no progress")
    func noToken() async throws {
        let server = try TestServer()
        let connection = server.connection
        connection.send(request(1, "steps", #"{"workDoneToken":{},"token":[]}"#))
        connection.endInput()
        #expect(await connection.rest() == result(1, "null") + "\n")
    }

    @Test("a call that reports no progress does not end any")
    func noSteps() async throws {
        let server = try TestServer()
        let connection = server.connection
        connection.send(request(1, "ping", #"{"workDoneToken":7}"#))
        connection.endInput()
        #expect(await connection.rest() == result(1, "null") + "\n")
    }
}
