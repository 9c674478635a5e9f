import Glibc

/// Extracts messages from a stream of bytes that arrives in chunks of any size.
struct FrameDecoder {
    enum Event: Hashable {
        case message([UInt8])
        /// Invalid input, with the reason. The decoder continues with the next message.
        case malformed(String)
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

    init(mode: FramingMode, limits: RPCLimits) {
        self.limits = limits
        framing = mode
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
        if framing == .auto { detectFraming() }
        return switch framing {
        case .lines: nextLine()
        case .headers: nextWithHeaders()
        case .auto: nil
        }
    }

    /// Returns the remaining input after the end of the stream: the last line needs no newline.
    mutating func finish() -> (message: [UInt8]?, isTruncated: Bool) {
        let rest = Array(buffer[start...])
        (buffer, start, searchStart) = ([], 0, 0)
        let isBlank = rest.allSatisfy { $0 <= 0x20 }
        let isReported = isSkippingLine || isInSplitMessage && SplitMessage.contains(rest[...])
        if isBlank || isReported { return (nil, false) }
        // A word is the beginning of a header.
        return framing == .lines ? (rest, false) : (nil, true)
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
            if line.count > limits.maximumMessageBytes { return tooLong() }
            if line.allSatisfy({ $0 <= 0x20 }) { continue }
            if isInSplitMessage, SplitMessage.contains(line) { continue }
            isInSplitMessage = SplitMessage.begins(with: line)
            if isInSplitMessage { return .malformed(SplitMessage.reason) }
            return .message(Array(line.last == UInt8(ascii: "\r") ? line.dropLast() : line))
        }
        searchStart = buffer.count
        guard buffer.count - start > limits.maximumMessageBytes else { return nil }
        start = buffer.count
        if isSkippingLine { return nil }
        isSkippingLine = true
        return tooLong()
    }

    private func tooLong() -> Event {
        .malformed("a message may have at most \(limits.maximumMessageBytes) bytes")
    }

    private mutating func nextWithHeaders() -> Event? {
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
            return skip(error.reason, length: block.length)
        }
    }

    private mutating func message(after header: Int, length: Int) -> Event? {
        let bodyStart = start + header
        guard buffer.count - bodyStart >= length else { return nil }
        start = bodyStart + length
        return .message(Array(buffer[bodyStart..<start]))
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
        let name = HeaderBlock.contentLengthName
        while start + name.count < buffer.count {
            if zip(buffer[start...], name).allSatisfy({ $0 | 0x20 == $1 | 0x20 }),
                buffer[start + name.count] == UInt8(ascii: ":")
            {
                needsResync = false
                return true
            }
            start += 1
        }
        return false
    }
}
