import Foundation
import JSONRPC
import JSONRPCTestSupport
import Testing

@Suite("Framing", .timeLimit(.minutes(10)))
struct FramingTests {
    private let ping = #"{"jsonrpc":"2.0","id":1,"method":"ping"}"#
    private let pong = #"{"jsonrpc":"2.0","id":1,"result":null}"#

    private func framed(_ message: String) -> String {
        "Content-Length: \(message.utf8.count)\r\n\r\n\(message)"
    }

    private func exchange(
        _ input: [String],
        framing: FramingMode = .auto,
        limits: RPCLimits = RPCLimits()
    ) async throws -> (output: String, reason: TerminationReason) {
        let server = try TestServer(framing: framing, limits: limits)
        let connection = server.connection
        for chunk in input { connection.send(chunk) }
        connection.endInput()
        return (await connection.rest(), await connection.terminationReason())
    }

    @Test("if the first byte is a brace, each line is a message")
    func lines() async throws {
        let (output, reason) = try await exchange([ping, "\n"])
        #expect(output == pong + "\n")
        #expect(reason == .endOfInput)
    }

    @Test(
        "if the first line is not a header, each line is a message, and is answered at once",
        arguments: [
            "hello", "salons/list {\"limit\": 1}", "content", "Content-Length", "a.b: c",
        ]
    )
    func words(line: String) async throws {
        let server = try TestServer()
        server.connection.send(line + "\n")
        #expect(await server.connection.line()?.contains("-32700") == true)
        server.connection.send(ping + "\n")
        #expect(await server.connection.line() == pong)
        server.connection.endInput()
        #expect(await server.connection.terminationReason() == .endOfInput)
    }

    @Test("if the first line is a header, messages have headers")
    func headers() async throws {
        #expect(try await exchange([framed(ping)]).output == framed(pong))
    }

    @Test(
        "headers may have any case, order, and white space",
        arguments: [
            "content-length:40\r\n\r\n", "CONTENT-LENGTH:  40 \r\n\r\n",
            "Content-Type: application/vscode-jsonrpc; charset=utf-8\r\nContent-Length: 40\r\n\r\n",
            "Content-Length: 40\r\nContent-Type: a/b; charset=\"UTF8\"\r\nX: y\r\n\r\n",
            "Content-Length: 40\n\n", "Content-Length: 40\r\nContent-Length: 40\r\n\r\n",
        ]
    )
    func headerForms(header: String) async throws {
        #expect(ping.utf8.count == 40)
        #expect(try await exchange([header + ping]).output == framed(pong))
    }

    @Test(
        "an invalid header causes error -32700, and the next message is processed",
        arguments: [
            "Content-Length: x\r\n\r\n", "Content-Length: -1\r\n\r\n", "Content-Length: \r\n\r\n",
            "Content-Length: 99999999999999999999\r\n\r\n", "Content-Length: 99999999\r\n\r\n",
            "Content-Type: a\r\n\r\n", "Content-Length: 4\r\nContent-Length: 5\r\n\r\nxxxx",
            "Content-Length: 2\r\nContent-Type: a/b; charset=latin1\r\n\r\n{}",
            "X: y\r\nno colon\r\n\r\n",
        ]
    )
    func badHeaders(header: String) async throws {
        let (output, reason) = try await exchange([header + framed(ping)])
        #expect(output.contains("-32700"))
        #expect(output.hasSuffix(framed(pong)))
        #expect(reason == .endOfInput)
    }

    @Test("an endless header block is rejected at 8 KiB")
    func endlessHeader() async throws {
        let long = "X: " + String(repeating: "y", count: 9_000)
        let (output, _) = try await exchange([long + "\r\n" + framed(ping)])
        #expect(output.contains("-32700"))
        #expect(output.hasSuffix(framed(pong)))
    }

    @Test("messages may arrive one byte at a time")
    func singleBytes() async throws {
        let stream = framed(ping) + framed(ping)
        let (output, _) = try await exchange(stream.map(String.init))
        #expect(output == framed(pong) + framed(pong))
    }

    @Test("blank lines and CRLF line endings are accepted")
    func blankLines() async throws {
        let (output, _) = try await exchange(["\r\n\n \n", ping, "\r\n\r\n \n", ping, "\n"])
        #expect(output == pong + "\n" + pong + "\n")
    }

    @Test("the last line needs no newline")
    func lastLine() async throws {
        let (output, reason) = try await exchange([ping])
        #expect(output == pong + "\n")
        #expect(reason == .endOfInput)
    }

    @Test(
        "input that ends in the middle of a message is truncated",
        arguments: [
            #"{"jsonrpc":"2.0","id":"#, "Content-Length: 40\r\n\r\n{", "Content-Le",
        ]
    )
    func truncated(text: String) async throws {
        let reason = try await exchange([text]).reason
        #expect(reason == .truncatedInput)
        #expect(reason.exitCode == 1)
    }

    @Test(
        "a message over the limit is rejected, and the next one is processed",
        arguments: [true, false]
    )
    func tooLong(asLines: Bool) async throws {
        var limits = RPCLimits()
        limits.maximumMessageBytes = 100
        let long =
            #"{"jsonrpc":"2.0","id":1,"method":""# + String(repeating: "x", count: 200) + "\"}"
        let input = asLines ? [long, "\n", ping, "\n"] : [framed(long), framed(ping)]
        let (output, _) = try await exchange(input, limits: limits)
        #expect(output.contains("at most 100 bytes"))
        #expect(output.hasSuffix(asLines ? pong + "\n" : framed(pong)))
    }

    @Test("empty input is not an error")
    func nothing() async throws {
        let (output, reason) = try await exchange([])
        #expect(output.isEmpty)
        #expect(reason == .endOfInput)
    }

    @Test(
        "a byte order mark before the first message is skipped, and one before another is not",
        arguments: [FramingMode.auto, .lines, .headers]
    )
    func byteOrderMark(framing: FramingMode) async throws {
        let message = framing == .headers ? framed(ping) : ping + "\n"
        let reply = framing == .headers ? framed(pong) : pong + "\n"
        let (output, _) = try await exchange(["\u{FEFF}" + message, message], framing: framing)
        #expect(output == reply + reply)
        let bytes = Array("\u{FEFF}\(message)".utf8)
        let server = try TestServer(framing: framing)
        for byte in bytes { server.connection.send([byte]) }
        server.connection.endInput()
        #expect(await server.connection.rest() == reply)
        let later = try await exchange([message, "\u{FEFF}" + message, message], framing: framing)
        #expect(later.output.components(separatedBy: pong).count == 3)
        #expect(later.output.contains("-32700"))
    }

    @Test("after a header, a byte order mark is skipped only in the first message")
    func byteOrderMarkInBody() async throws {
        let marked = framed("\u{FEFF}" + ping)
        let (output, _) = try await exchange([marked, marked, framed(ping)])
        #expect(output.components(separatedBy: framed(pong)).count == 3)
        #expect(output.contains("byte order mark") && output.contains(#""id":1,"error""#))
    }

    @Test("an input that is only a byte order mark, or a part of one, has no message")
    func onlyByteOrderMark() async throws {
        let mark = try await exchange(["\u{FEFF}"])
        #expect(mark.output.isEmpty && mark.reason == .endOfInput)
        let server = try TestServer()
        server.connection.send([0xEF, 0xBB])
        server.connection.endInput()
        #expect(await server.connection.rest().isEmpty)
        #expect(await server.connection.terminationReason() == .truncatedInput)
    }
}
