import JSON
import JSONRPC
import JSONRPCTestSupport
import Testing

@Suite("Line separators in messages", .timeLimit(.minutes(10)))
struct LineSeparatorTests {
    private let text = "a\u{2028}b\u{2029}c"
    private let escaped = #"a\u2028b\u2029c"#

    private func output(_ messages: [String], framing: FramingMode) async throws -> String {
        let server = try TestServer(framing: framing)
        for message in messages {
            let header = "Content-Length: \(message.utf8.count)\r\n\r\n"
            server.connection.send(framing == .headers ? header + message : message + "\n")
        }
        server.connection.endInput()
        return await server.connection.rest()
    }

    private func framed(_ message: String, _ framing: FramingMode) -> String {
        framing == .headers
            ? "Content-Length: \(message.utf8.count)\r\n\r\n\(message)" : message + "\n"
    }

    @Test(
        "results, errors, and ids are sent with escapes",
        arguments: [FramingMode.lines, .headers]
    )
    func replies(framing: FramingMode) async throws {
        let echo = #"{"jsonrpc":"2.0","id":"\#(text)","method":"echo","params":["\#(text)"]}"#
        let reply = #"{"jsonrpc":"2.0","id":"\#(escaped)","result":"\#(escaped)"}"#
        #expect(try await output([echo], framing: framing) == framed(reply, framing))
        let batch = "[\(echo)]"
        #expect(try await output([batch], framing: framing) == framed("[\(reply)]", framing))
        let unknown = #"{"jsonrpc":"2.0","id":1,"method":"\#(text)"}"#
        let error = try await output([unknown], framing: framing)
        #expect(error.contains("-32601") && error.contains(escaped) && !error.contains(text))
    }

    @Test("calls and notifications to the other side are sent with escapes")
    func outgoing() async throws {
        let peer = try RawConnection { Connection(over: $0, framing: .lines) }
        let params = JSONFragment.object { $0.member("text", text) }
        peer.connection.peer.notify("note", params)
        let sent = #"{"jsonrpc":"2.0","method":"note","params":{"text":"\#(escaped)"}}"#
        #expect(await peer.line() == sent)
        peer.endInput()
    }
}
