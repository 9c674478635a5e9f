/// An event that a server sent in a stream (WHATWG HTML, section 9.2.6).
public struct ServerSentEvent: Sendable, Hashable {
    /// The field `event`, or `message` if it is absent or empty.
    public var type: String
    /// The lines of the fields `data`, separated by line feeds.
    public var data: String
    /// The latest field `id` in this event and the ones before it, or the `Last-Event-ID` of the
    /// request; nil if it is absent or empty.
    public var id: String?

    /// Creates an event, for example in a test.
    public init(type: String = "message", data: String, id: String? = nil) {
        (self.type, self.data, self.id) = (type, data, id)
    }
}

/// An incremental parser for a stream of server-sent events (WHATWG HTML, section 9.2.6).
///
/// Pass it the chunks of a body with the media type `text/event-stream`, in order. It returns each
/// event as soon as the blank line that ends it has arrived. When the stream ends, discard the parser:
/// an event without that blank line is incomplete.
///
/// To continue after an interruption, wait for ``retryDelay``, send ``lastEventID`` as
/// `Last-Event-ID`, and use a new parser for the response.
public struct ServerSentEventParser: Sendable {
    /// The id of the latest complete event, which need not have data; nil if it has none. Before the
    /// first one, what the request sent as `Last-Event-ID`.
    public private(set) var lastEventID: String?
    /// How long the server asks the client to wait before it connects again; nil if the server did
    /// not say. The parser sets no upper limit.
    public private(set) var retryDelay: Duration?

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    private static let digits = UInt8(ascii: "0")...UInt8(ascii: "9")

    private let maximumEventBytes: Int
    private var isTooLarge = false
    /// The bytes of the line that has not ended.
    private var line: [UInt8] = []
    private var isFirstLine = true
    /// Whether the previous byte was a CR. An LF after it belongs to the same line ending.
    private var isAfterCR = false
    // The fields of the event that has not ended. An id also applies to the events after it.
    private var type = ""
    private var data: [UInt8] = []
    private var id: String?

    /// Creates a parser for a new stream.
    ///
    /// - Parameters:
    ///   - lastEventID: What the request sent as `Last-Event-ID`; nil if it did not.
    ///   - maximumEventBytes: The largest size of an event, which is that of its data and of the line
    ///     that is being read; 1 MiB by default.
    public init(lastEventID: String? = nil, maximumEventBytes: Int = 1 << 20) {
        (self.lastEventID, id) = (lastEventID, lastEventID)
        self.maximumEventBytes = maximumEventBytes
    }

    /// Parses the next bytes of the stream.
    ///
    /// - Parameter chunk: Any number of bytes, which may begin and end anywhere, even within a
    ///   character.
    /// - Returns: The events that these bytes complete.
    /// - Throws: `eventTooLarge`. If this call completes events before the large one, it returns them,
    ///   and the next call throws. The rest of the stream cannot be parsed.
    public mutating func parse(_ chunk: [UInt8]) throws(HTTPClientError) -> [ServerSentEvent] {
        var events: [ServerSentEvent] = []
        var rest = chunk[...]
        while !rest.isEmpty, !isTooLarge {
            if isAfterCR, rest.first == .lineFeed { rest.removeFirst() }
            let end = rest.firstIndex { $0 == .lineFeed || $0 == .carriageReturn }
            append(rest[..<(end ?? rest.endIndex)])
            isAfterCR = end.map { rest[$0] == .carriageReturn } ?? false
            guard let end, !isTooLarge else { break }
            rest = rest[(end + 1)...]
            if let event = endLine() { events.append(event) }
        }
        guard !isTooLarge || !events.isEmpty else {
            throw HTTPClientError(.eventTooLarge(limit: maximumEventBytes), mayHaveBeenSent: true)
        }
        return events
    }

    private mutating func append(_ bytes: ArraySlice<UInt8>) {
        isTooLarge = bytes.count > maximumEventBytes - data.count - line.count
        if !isTooLarge { line.append(contentsOf: bytes) }
    }

    /// Interprets the line. A blank one ends the event, which is returned if it has data.
    private mutating func endLine() -> ServerSentEvent? {
        var content = line[...]
        line = []
        if isFirstLine, content.starts(with: Self.byteOrderMark) {
            content = content.dropFirst(Self.byteOrderMark.count)
        }
        isFirstLine = false
        if content.isEmpty { return endEvent() }
        let colon = content.firstIndex(of: UInt8(ascii: ":"))
        var value = colon.map { content[($0 + 1)...] } ?? []
        if value.first == UInt8(ascii: " ") { value.removeFirst() }
        set(String(decoding: content[..<(colon ?? content.endIndex)], as: UTF8.self), to: value)
        return nil
    }

    /// Sets a field of the event. A comment is a field without a name, and ignored like any other
    /// unknown field.
    private mutating func set(_ field: String, to value: ArraySlice<UInt8>) {
        switch field {
        case "event": type = String(decoding: value, as: UTF8.self)
        case "data":
            data.append(contentsOf: value)
            data.append(.lineFeed)
        case "id" where !value.contains(0):
            id = value.isEmpty ? nil : String(decoding: value, as: UTF8.self)
        case "retry" where !value.isEmpty && value.allSatisfy(Self.digits.contains):
            retryDelay = .milliseconds(Int(String(decoding: value, as: UTF8.self)) ?? .max)
        default: break
        }
    }

    private mutating func endEvent() -> ServerSentEvent? {
        defer { (type, data) = ("", []) }
        lastEventID = id
        guard !data.isEmpty else { return nil }
        return ServerSentEvent(
            type: type.isEmpty ? "message" : type,
            data: String(decoding: data.dropLast(), as: UTF8.self),
            id: id
        )
    }
}

extension UInt8 {
    fileprivate static let lineFeed = UInt8(ascii: "\n")
    fileprivate static let carriageReturn = UInt8(ascii: "\r")
}
