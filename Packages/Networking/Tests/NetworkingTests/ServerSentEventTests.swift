import Networking
import Testing

@Suite("Server-sent events")
struct ServerSentEventTests {
    /// A stream, and what a parser must make of it.
    struct Stream: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let bytes: [UInt8]
        var events: [ServerSentEvent] = []
        var lastID: String?
        var retryDelay: Duration?

        init(
            _ description: String,
            _ text: String,
            _ events: [ServerSentEvent] = [],
            lastID: String? = nil,
            retryDelay: Duration? = nil
        ) {
            self.init(description, Array(text.utf8), events)
            (self.lastID, self.retryDelay) = (lastID, retryDelay)
        }

        init(_ description: String, _ bytes: [UInt8], _ events: [ServerSentEvent]) {
            (testDescription, self.bytes, self.events) = (description, bytes, events)
        }
    }

    private static let twoEvents = [
        ServerSentEvent(data: "a\nb"), ServerSentEvent(type: "t", data: "c"),
    ]

    static let streams = [
        Stream("lines end with LF", "data: a\ndata: b\n\nevent: t\ndata: c\n\n", twoEvents),
        Stream("lines end with CR", "data: a\rdata: b\r\revent: t\rdata: c\r\r", twoEvents),
        Stream(
            "lines end with CR LF",
            "data: a\r\ndata: b\r\n\r\nevent: t\r\ndata: c\r\n\r\n",
            twoEvents
        ),
        Stream(
            "line endings are mixed",
            "data: a\rdata: b\n\r\n\nevent: t\r\ndata: c\n\r",
            twoEvents
        ),
        Stream(
            "LF CR is two line endings",
            "data: a\n\rdata: b\n\r",
            [
                ServerSentEvent(data: "a"), ServerSentEvent(data: "b"),
            ]
        ),
        Stream(
            "only one space after the colon is removed",
            "data:a\n\ndata:  b\n\ndata: \n\n",
            [
                ServerSentEvent(data: "a"), ServerSentEvent(data: " b"), ServerSentEvent(data: ""),
            ]
        ),
        Stream(
            "a colon may be part of a value",
            "data: {\"a\": 1}\n\n",
            [
                ServerSentEvent(data: "{\"a\": 1}")
            ]
        ),
        Stream(
            "a field without a colon is empty",
            "data\n\ndata\ndata\n\n",
            [
                ServerSentEvent(data: ""), ServerSentEvent(data: "\n"),
            ]
        ),
        Stream(
            "an event without data is not reported, and its type is forgotten",
            "event: t\n\ndata: a\n\n",
            [
                ServerSentEvent(data: "a")
            ]
        ),
        Stream(
            "an empty type is that of a message",
            "event: t\nevent:\ndata: a\n\n",
            [
                ServerSentEvent(data: "a")
            ]
        ),
        Stream(
            "the last type counts",
            "event: t\nevent: u\ndata: a\n\n",
            [
                ServerSentEvent(type: "u", data: "a")
            ]
        ),
        Stream(
            "comments and unknown fields are ignored",
            ":\n: c\ndata: a\n:data: b\nDATA: b\n data: b\ndata : b\nother: b\n\n",
            [ServerSentEvent(data: "a")]
        ),
        Stream(
            "an event at the end is incomplete without a blank line",
            "data: a\n\ndata: b\n",
            [
                ServerSentEvent(data: "a")
            ]
        ),
        Stream(
            "an id applies to the events after it until the next id",
            "id: 1\ndata: a\n\ndata: b\n\nid\ndata: c\n\nid: 2\ndata: d\n\nid: 3\ndata: e\n",
            [
                ServerSentEvent(data: "a", id: "1"), ServerSentEvent(data: "b", id: "1"),
                ServerSentEvent(data: "c"), ServerSentEvent(data: "d", id: "2"),
            ],
            lastID: "2"
        ),
        Stream("an event without data may have an id", "id: 1\n\n", lastID: "1"),
        Stream("an id with NUL is ignored", "id: 1\n\nid: 2\u{0}\n\n", lastID: "1"),
        Stream("the delay is in milliseconds", "retry: 1500\n", retryDelay: .milliseconds(1_500)),
        Stream(
            "a delay that is not a number is ignored",
            "retry: 7\nretry: 8s\nretry: -8\nretry:\nretry: \u{661}\n",
            retryDelay: .milliseconds(7)
        ),
        Stream(
            "a delay may have any number of digits",
            "retry: 99999999999999999999\n",
            retryDelay: .milliseconds(Int.max)
        ),
        Stream(
            "a byte order mark at the start is ignored",
            "\u{FEFF}data: a\n\n",
            [
                ServerSentEvent(data: "a")
            ]
        ),
        Stream(
            "a byte order mark may precede a blank line",
            "\u{FEFF}\ndata: a\n\n",
            [
                ServerSentEvent(data: "a")
            ]
        ),
        Stream(
            "another byte order mark is text",
            "\u{FEFF}\u{FEFF}data: a\n\ndata: \u{FEFF}b\n\n",
            [
                ServerSentEvent(data: "\u{FEFF}b")
            ]
        ),
        Stream(
            "characters may have several bytes",
            "event: \u{E9}\ndata: \u{1F600}\n\n",
            [
                ServerSentEvent(type: "\u{E9}", data: "\u{1F600}")
            ]
        ),
        Stream(
            "bytes that are not UTF-8 are replaced",
            Array("data: a".utf8) + [0xFF, 0x0A, 0x0A],
            [
                ServerSentEvent(data: "a\u{FFFD}")
            ]
        ),
        Stream("nothing", ""),
    ]

    private func expect(
        _ chunks: [ArraySlice<UInt8>],
        _ stream: Stream
    ) throws {
        var parser = ServerSentEventParser()
        var events: [ServerSentEvent] = []
        for chunk in chunks { events += try parser.parse(Array(chunk)) }
        let sizes = chunks.map(\.count)
        #expect(events == stream.events, "chunks of \(sizes)")
        #expect(parser.lastEventID == stream.lastID, "chunks of \(sizes)")
        #expect(parser.retryDelay == stream.retryDelay, "chunks of \(sizes)")
    }

    @Test("are the same however the stream is split into chunks", arguments: streams)
    func splits(stream: Stream) throws {
        let bytes = stream.bytes
        for first in 0...bytes.count {
            for second in first...bytes.count {
                try expect([bytes[..<first], bytes[first..<second], bytes[second...]], stream)
            }
        }
        try expect(bytes.indices.map { bytes[$0...$0] }, stream)
    }

    @Test("are returned with the chunk that completes them")
    func immediacy() throws {
        var parser = ServerSentEventParser()
        #expect(try parser.parse(Array("data: a\n".utf8)) == [])
        #expect(try parser.parse(Array("\r".utf8)) == [ServerSentEvent(data: "a")])
        #expect(try parser.parse(Array("\ndata: b\r\n\r".utf8)) == [ServerSentEvent(data: "b")])
    }

    @Test("have the id that the request continued from, until the stream has another")
    func continued() throws {
        var parser = ServerSentEventParser(lastEventID: "1")
        #expect(parser.lastEventID == "1")
        #expect(
            try parser.parse(Array("data: a\n\n".utf8)) == [ServerSentEvent(data: "a", id: "1")]
        )
        #expect(try parser.parse(Array("id: 2\n\n".utf8)) == [] && parser.lastEventID == "2")
    }
}

extension ServerSentEventTests {
    /// The error of a parser that receives the text in chunks of `chunkSize` bytes; nil if it has none.
    private func failure(
        _ text: String,
        chunkSize: Int,
        maximumEventBytes: Int
    ) -> HTTPClientError.Reason? {
        var parser = ServerSentEventParser(maximumEventBytes: maximumEventBytes)
        var rest = Array(text.utf8)[...]
        do {
            while !rest.isEmpty {
                _ = try parser.parse(Array(rest.prefix(chunkSize)))
                rest = rest.dropFirst(chunkSize)
            }
            return nil
        } catch {
            return error.reason
        }
    }

    @Test(
        "may have the maximum size, and no byte more",
        arguments: ["data: 123\n", "data:1\ndata: 2\n", ": 4567890\n", "data: a\n: 45678\n"]
    )
    func limit(text: String) {
        for size in 1...(text.utf8.count + 1) {
            #expect(failure(text, chunkSize: size, maximumEventBytes: 9) == nil)
            #expect(failure("\n" + text, chunkSize: size, maximumEventBytes: 9) == nil)
            let reason = failure(text, chunkSize: size, maximumEventBytes: 8)
            #expect(reason == .eventTooLarge(limit: 8))
        }
    }

    @Test("before one that is too large are returned, and nothing after it")
    func afterLimit() throws {
        var parser = ServerSentEventParser(maximumEventBytes: 10)
        let text = "id: 1\ndata: a\n\ndata: 0123456789\n\ndata: b\n\n"
        #expect(try parser.parse(Array(text.utf8)) == [ServerSentEvent(data: "a", id: "1")])
        #expect(parser.lastEventID == "1")
        for chunk in ["data: c\n\n", ""] {
            let error = HTTPClientError(.eventTooLarge(limit: 10), mayHaveBeenSent: true)
            #expect(throws: error) { try parser.parse(Array(chunk.utf8)) }
        }
        #expect(parser.lastEventID == "1")
    }
}
