import Testing

@testable import JSONRPC

@Suite("Frame decoder limits")
struct FrameDecoderTests {
    private static let ping = #"{"jsonrpc":"2.0","id":1,"method":"ping"}"#

    /// All events after decoding `chunks` one by one.
    private func events(
        _ chunks: [String],
        message: Int = 100,
        header: Int = 100
    ) -> [FrameDecoder.Event] {
        var limits = RPCLimits()
        (limits.maximumMessageBytes, limits.maximumHeaderBytes) = (message, header)
        var decoder = FrameDecoder(mode: .auto, limits: limits)
        var events: [FrameDecoder.Event] = []
        for chunk in chunks {
            Array(chunk.utf8).withUnsafeBytes { decoder.append($0) }
            while let event = decoder.next() { events.append(event) }
        }
        return events
    }

    private func message(_ text: String) -> FrameDecoder.Event { .message(Array(text.utf8)) }

    private func tooLong(_ maximum: Int, _ beginning: String) -> FrameDecoder.Event {
        .malformed(
            "a message may have at most \(maximum) bytes",
            beginning: Array(beginning.utf8.prefix(maximum))
        )
    }

    private static let pretty = """
        {
          "jsonrpc": "2.0",
          "id": 1,
          "params": {
            "list": [
              1
            ]
          },
          "method": "ping"
        }

        """
    private static let rubyStyle = """
        { "jsonrpc": "2.0",
          "id": 1,
          "method": "ping" }

        """

    private static func split(_ text: String) -> FrameDecoder.Event {
        .malformed(SplitMessage.reason, beginning: Array(text.utf8.prefix { $0 != 0x0A }))
    }

    @Test(
        "reports messages over several lines once, until a message is on one line",
        arguments: [pretty, pretty.replacing("\n", with: "\r\n"), rubyStyle, "[\n\(pretty)]\n"]
    )
    func severalLines(text: String) {
        let malformed = Self.split(text)
        let line = Self.ping + "\n"
        #expect(events([text, text, line]) == [malformed, message(Self.ping)])
        #expect(events([text, "  " + line]) == [malformed, message("  " + Self.ping)])
        #expect(
            events([line, text, line, text, line]) == [
                message(Self.ping), malformed, message(Self.ping), malformed, message(Self.ping),
            ]
        )
        #expect(events(text.map(String.init)) == [malformed])
    }

    @Test("a message over several lines whose last line has no line feed is reported once")
    func lastOfSeveralLines() {
        var decoder = FrameDecoder(mode: .lines, limits: RPCLimits())
        Array(Self.pretty.dropLast().utf8).withUnsafeBytes { decoder.append($0) }
        #expect(decoder.next() == Self.split(Self.pretty) && decoder.next() == nil)
        let rest = decoder.finish()
        #expect(rest.last == nil && !rest.isTruncated)
    }

    @Test(
        "other invalid lines are passed on, each of them",
        arguments: ["{\"a\"", "[1", "nonsense", "}", "]", "  1,", "{]", "{}}"]
    )
    func invalidLines(line: String) {
        let found = events([Self.ping + "\n", line + "\n", line + "\n"])
        #expect(found == [message(Self.ping), message(line), message(line)])
    }

    @Test("skips the rest of an oversized line, even if it looks like a request")
    func oversizedLine() {
        let long = "{" + String(repeating: "x", count: 100)
        let found = events([long, Self.ping + "\n" + Self.ping + "\n"])
        #expect(found == [tooLong(100, long), message(Self.ping)])
    }

    @Test("skips an oversized line that arrives in many chunks")
    func oversizedChunks() {
        let long = "{" + String(repeating: "x", count: 100)
        let found = events([long, long, long, "\n", Self.ping + "\n"])
        #expect(found == [tooLong(100, long), message(Self.ping)])
    }

    @Test(
        "accepts a line of the maximum size, and rejects a longer one",
        arguments: [false, true]
    )
    func longestLine(isSplit: Bool) {
        let line = "{23456789}"
        let chunks = isSplit ? [line, "\n"] : [line + "\n"]
        #expect(events(chunks, message: 10) == [message(line)])
        #expect(events(chunks, message: 9) == [tooLong(9, line)])
    }

    @Test(
        "accepts a message of the maximum size, and rejects a longer one",
        arguments: ["Content-Length: 10\r\n\r\n", "content-length: 10\r\n\r\n"]
    )
    func longestMessage(header: String) {
        let body = "{23456789}"
        #expect(events([header + body], message: 10) == [message(body)])
        #expect(events([header + body], message: 9).first == tooLong(9, body))
    }

    @Test("accepts a header block of the maximum size, and rejects a longer one")
    func longestHeader() {
        let header = "X: y\r\nContent-Length: 2\r\n\r\n"
        let reason = "the header block is longer than \(header.utf8.count - 1) bytes"
        #expect(events([header + "{}"], header: header.utf8.count) == [message("{}")])
        let found = events([header + "{}"], header: header.utf8.count - 1)
        #expect(found.first == .malformed(reason))
    }

    @Test("rejects an endless header block when it reaches the maximum size")
    func endlessHeader() {
        let header = "X: " + String(repeating: "y", count: 97)
        #expect(events([header]) == [.malformed("the header block is longer than 100 bytes")])
        #expect(events([String(header.dropLast())]).isEmpty)
    }

    @Test("after an invalid header, finds the next header wherever its bytes are split")
    func headerAfterInvalidOne() {
        let bytes = "Content-Length: x\r\n\r\nContent-Length: 2\r\n\r\n{}".utf8
        for length in 0...bytes.count {
            let chunks = [bytes.prefix(length), bytes.dropFirst(length)]
            let found = events(chunks.map { String(decoding: $0, as: UTF8.self) })
            #expect(found.count == 2 && found.last == message("{}"), "\(length)")
        }
    }

    @Test("a first word as long as the maximum header block is no header, so the line is too long")
    func endlessWord() {
        #expect(events([String(repeating: "x", count: 100)]).isEmpty)
        let word = String(repeating: "x", count: 101)
        #expect(events([word]) == [tooLong(100, word)])
    }

    @Test("rejects two different Content-Length headers")
    func differentLengths() {
        let header = "Content-Length: 2\r\nContent-Length: 4\r\n\r\n"
        let reason = "the Content-Length headers differ"
        #expect(events([header + "{}"]) == [.malformed(reason)])
    }

    @Test(
        "the beginning of a message that is too long has at most 64 KiB",
        arguments: [FramingMode.lines, .headers]
    )
    func beginning(framing: FramingMode) {
        let body = String(repeating: "x", count: 100_000)
        let header = framing == .headers ? "Content-Length: 100000\r\n\r\n" : ""
        let expected = FrameDecoder.Event.malformed(
            "a message may have at most 80000 bytes",
            beginning: Array(body.utf8.prefix(65_536))
        )
        #expect(events([header + body], message: 80_000) == [expected])
    }

    @Test(
        "a body that is too long is rejected with its beginning, which ends at the next header",
        arguments: [1, 20, 80, 100, 200]
    )
    func beginningOfBody(arrived: Int) {
        let header = "Content-Length: 70000\r\n\r\n"
        let body = String(repeating: "x", count: arrived)
        let next = "Content-Length: 40\r\n\r\n" + Self.ping
        let rejected = tooLong(100, body)
        #expect(events([header, body, next]) == [rejected, message(Self.ping)])
        // Without what follows, it is known only when enough has arrived.
        #expect(events([header, body]) == (arrived >= 100 ? [rejected] : []))
    }

    @Test("the end of the input ends a body, too, and its beginning is known")
    func truncatedBody() {
        for (length, reason) in [
            (90, "the input ended in the middle of the message"),
            (200, "a message may have at most 100 bytes"),
        ] {
            var limits = RPCLimits()
            limits.maximumMessageBytes = 100
            var decoder = FrameDecoder(mode: .auto, limits: limits)
            let text = "Content-Length: \(length)\r\n\r\n{\"id\":1,"
            Array(text.utf8).withUnsafeBytes { decoder.append($0) }
            #expect(decoder.next() == nil)
            let rest = decoder.finish()
            let beginning = Array("{\"id\":1,".utf8)
            #expect(rest.last == .malformed(reason, beginning: beginning) && rest.isTruncated)
        }
    }
}
