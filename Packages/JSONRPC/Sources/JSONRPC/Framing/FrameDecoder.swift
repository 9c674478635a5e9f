import Glibc

/// Extracts messages from a stream of bytes that arrives in chunks of any size.
struct FrameDecoder {
    enum Event: Hashable {
        case message([UInt8])
        /// Invalid input, with the reason, and the beginning of the message, as far as it is known. The
        /// decoder continues with the next message.
        case malformed(String, beginning: [UInt8] = [])
    }

    /// The framing; `auto` until the first word of the first message has ended.
    private(set) var framing: FramingMode
    private let limits: RPCLimits
    private var buffer: [UInt8] = []
    private var start = 0
    /// Where the search for the next newline continues.
    private var searchStart = 0
    private var isSkippingLine = false
    /// Whether the previous line is part of a message on several lines, which was reported.
    private var isInSplitMessage = false
    private var needsResync = false
    /// Where a byte order mark is skipped: at the start of the input, and of the first message.
    private var mayBeginWithMark = (input: true, message: true)
    /// The reason to reject a body that is too long, whose beginning has not arrived yet.
    private var oversizedBody: String?
    /// How many bytes of a message that is too long are searched for its id.
    private let beginningLength: Int

    init(mode: FramingMode, limits: RPCLimits) {
        self.limits = limits
        framing = mode
        beginningLength = min(64 << 10, limits.maximumMessageBytes)
    }

    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        if start == buffer.count || start > 1 << 16 {
            buffer.removeFirst(start)
            (searchStart, start) = (searchStart - start, 0)
        }
        buffer.append(contentsOf: bytes)
    }

    /// The next event; nil if more bytes are needed.
    mutating func next() -> Event? {
        if mayBeginWithMark.input, !skipMark() { return nil }
        if framing == .auto { detectFraming() }
        return switch framing {
        case .lines: nextLine()
        case .headers: nextWithHeaders()
        case .auto: nil
        }
    }

    /// Returns the remaining input after the end of the stream: the last line needs no newline.
    mutating func finish() -> (last: Event?, isTruncated: Bool) {
        let rest = buffer[start...]
        defer { (buffer, start, searchStart) = ([], 0, 0) }
        if let oversizedBody {
            return (.malformed(oversizedBody, beginning: Array(rest)), true)
        }
        let isBlank = rest.allSatisfy { $0 <= 0x20 }
        let isReported = isSkippingLine || isInSplitMessage && SplitMessage.contains(rest)
        if isBlank || isReported { return (nil, false) }
        if framing == .lines { return (.message(Array(rest)), false) }
        // A word is the beginning of a header.
        guard let header = HeaderBlock(in: rest.prefix(limits.maximumHeaderBytes)) else {
            return (nil, true)
        }
        let beginning = rest.dropFirst(header.length).prefix(beginningLength)
        let reason = "the input ended in the middle of the message"
        return (.malformed(reason, beginning: Array(beginning)), true)
    }

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// Skips a byte order mark at the start of the input, which some programs write. Returns false if
    /// more bytes are needed.
    private mutating func skipMark() -> Bool {
        let head = buffer[start...].prefix(Self.byteOrderMark.count)
        if head.count < Self.byteOrderMark.count, Self.byteOrderMark.starts(with: head) {
            return false
        }
        mayBeginWithMark.input = false
        if head.elementsEqual(Self.byteOrderMark) { start += head.count }
        return true
    }

    private mutating func detectFraming() {
        while start < buffer.count, buffer[start] <= 0x20 { start += 1 }
        let head = buffer[start...].prefix(limits.maximumHeaderBytes)
        let rest = head.drop(while: Self.isInName).drop { $0 == 0x20 || $0 == 0x09 }
        if let next = rest.first {
            let isHeader = next == UInt8(ascii: ":") && rest.startIndex > start
            framing = isHeader ? .headers : .lines
        } else if head.count == limits.maximumHeaderBytes {
            framing = .lines
        }
    }

    /// Whether the byte is a letter or a hyphen, of which the names of the headers consist.
    private static func isInName(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || byte == UInt8(ascii: "-")
    }
}

extension FrameDecoder {
    private mutating func nextLine() -> Event? {
        while true {
            let from = max(searchStart, start)
            let found = buffer.withUnsafeBytes { bytes -> Int? in
                guard let base = bytes.baseAddress, from < bytes.count else { return nil }
                let newline = memchr(base + from, Int32(UInt8(ascii: "\n")), bytes.count - from)
                return newline.map { UnsafeRawPointer($0) - base }
            }
            guard let end = found else { break }
            let line = buffer[start..<end]
            let wasSkipped = isSkippingLine
            (start, searchStart, isSkippingLine) = (end + 1, end + 1, false)
            if wasSkipped { continue }
            // First check the length, so that an oversized blank line is rejected however it
            // arrives.
            if line.count > limits.maximumMessageBytes { return tooLong(line) }
            if line.allSatisfy({ $0 <= 0x20 }) { continue }
            if isInSplitMessage, SplitMessage.contains(line) { continue }
            isInSplitMessage = SplitMessage.begins(with: line)
            if isInSplitMessage { return rejected(line, SplitMessage.reason) }
            return .message(Array(line.last == UInt8(ascii: "\r") ? line.dropLast() : line))
        }
        searchStart = buffer.count
        guard buffer.count - start > limits.maximumMessageBytes else { return nil }
        let line = buffer[start...]
        start = buffer.count
        if isSkippingLine { return nil }
        isSkippingLine = true
        return tooLong(line)
    }

    private func tooLong(_ line: ArraySlice<UInt8>) -> Event {
        rejected(line, "a message may have at most \(limits.maximumMessageBytes) bytes")
    }

    private func rejected(_ line: ArraySlice<UInt8>, _ reason: String) -> Event {
        .malformed(reason, beginning: Array(line.prefix(beginningLength)))
    }

    private mutating func nextWithHeaders() -> Event? {
        if let oversizedBody { return rejectBody(oversizedBody) }
        if needsResync, !resynchronize() { return nil }
        while start < buffer.count, buffer[start] <= 0x20 { start += 1 }
        let head = buffer[start...].prefix(limits.maximumHeaderBytes)
        if let plain = HeaderBlock.plainLengths(in: head),
            plain.message <= limits.maximumMessageBytes
        {
            return message(after: plain.block, length: plain.message)
        }
        guard let block = HeaderBlock(in: head) else {
            guard buffer.count - start >= limits.maximumHeaderBytes else { return nil }
            return skip("the header block is longer than \(limits.maximumHeaderBytes) bytes")
        }
        do {
            let length = try block.contentLength(maximum: limits.maximumMessageBytes)
            return message(after: block.length, length: length)
        } catch {
            guard error.isTooLong else { return skip(error.reason, length: block.length) }
            start += block.length
            oversizedBody = error.reason
            return rejectBody(error.reason)
        }
    }

    /// Rejects a body that is too long, as soon as its beginning has arrived, or the next header if the
    /// body is in fact shorter.
    private mutating func rejectBody(_ reason: String) -> Event? {
        let body = buffer[start...].prefix(beginningLength)
        let next = Self.nextHeader(in: body)
        guard next != nil || body.count == beginningLength else { return nil }
        oversizedBody = nil
        needsResync = true
        return .malformed(reason, beginning: Array(body[..<(next ?? body.endIndex)]))
    }

    private mutating func message(after header: Int, length: Int) -> Event? {
        let bodyStart = start + header
        guard buffer.count - bodyStart >= length else { return nil }
        start = bodyStart + length
        var body = buffer[bodyStart..<start]
        if mayBeginWithMark.message, body.starts(with: Self.byteOrderMark) {
            body = body.dropFirst(Self.byteOrderMark.count)
        }
        mayBeginWithMark.message = false
        return .message(Array(body))
    }

    /// Rejects the current header block and skips `length` bytes. Then the decoder searches for the
    /// next `Content-Length` header.
    private mutating func skip(_ reason: String, length: Int = 1) -> Event {
        needsResync = true
        start += length
        return .malformed(reason)
    }

    /// Skips to the next `Content-Length` header; false if more bytes are needed.
    private mutating func resynchronize() -> Bool {
        if let next = Self.nextHeader(in: buffer[start...]) {
            start = next
            needsResync = false
            return true
        }
        start = max(start, buffer.count - HeaderBlock.contentLengthName.count)
        return false
    }

    /// Where the next `Content-Length` header begins; nil if there is none.
    private static func nextHeader(in bytes: ArraySlice<UInt8>) -> Int? {
        let name = HeaderBlock.contentLengthName
        var rest = bytes
        while let colon = rest.firstIndex(of: UInt8(ascii: ":")) {
            let header = bytes[..<colon].suffix(name.count)
            if header.count == name.count,
                zip(header, name).allSatisfy({ $0 | 0x20 == $1 | 0x20 })
            {
                return header.startIndex
            }
            rest = bytes[(colon + 1)...]
        }
        return nil
    }
}

/// A message on several indented lines, as many programs print JSON. Framing by lines cannot read it, and
/// should not report each of its lines.
enum SplitMessage {
    static let reason = "a message must be on one line, without line feeds between its members"

    /// Whether a line can be the first line of a split message: an opening bracket, perhaps
    /// followed by members, of which the last one is not finished.
    static func begins(with line: ArraySlice<UInt8>) -> Bool {
        guard let first = line.first, let last = lastCharacter(of: line) else { return false }
        return "{[".utf8.contains(first) && "{[,:".utf8.contains(last)
    }

    /// Whether a line can belong to a split message, or begin the next one: it is indented, closes
    /// the message, or begins one. A complete object is a message of its own.
    static func contains(_ line: ArraySlice<UInt8>) -> Bool {
        guard let text = line.firstIndex(where: { $0 > 0x20 }), let last = lastCharacter(of: line)
        else { return true }
        if "}]".utf8.contains(line[text]) || begins(with: line) { return true }
        return text > line.startIndex
            && !("{[".utf8.contains(line[text]) && "}]".utf8.contains(last))
    }

    private static func lastCharacter(of line: ArraySlice<UInt8>) -> UInt8? {
        line.last { $0 > 0x20 }
    }
}
