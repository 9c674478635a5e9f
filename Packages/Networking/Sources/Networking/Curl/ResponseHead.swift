/// The header section of a response, which libcurl delivers line by line (RFC 9112, section 2.1).
struct ResponseHead {
    private(set) var headers = HTTPHeaders()
    private(set) var isComplete = false
    private var size = 0
    /// Whether no line has arrived.
    var isEmpty: Bool { size == 0 }

    /// Appends one line; false if all lines together exceed `limit` bytes.
    mutating func append(_ line: UnsafeRawBufferPointer, limit: Int) -> Bool {
        size += line.count
        guard size <= limit else { return false }
        if line.starts(with: "HTTP/".utf8) {
            // The fields of an interim response are not part of the final one.
            (headers, isComplete) = (HTTPHeaders(), false)
        } else if isComplete {
            // Trailers are not part of the header section (RFC 9110, section 6.5.1).
        } else if line.first == UInt8(ascii: " ") || line.first == UInt8(ascii: "\t") {
            headers.fold(Self.trimmed(line, 0..<line.count))
        } else if Self.trimmed(line, 0..<line.count).isEmpty {
            isComplete = true
        } else if let colon = line.firstIndex(of: UInt8(ascii: ":")) {
            headers.add(Self.trimmed(line, 0..<colon), Self.trimmed(line, colon + 1..<line.count))
        }
        return true
    }

    private static func trimmed(
        _ line: UnsafeRawBufferPointer,
        _ range: Range<Int>
    ) -> UnsafeRawBufferPointer {
        var (start, end) = (range.lowerBound, range.upperBound)
        while start < end, line[start] <= 0x20 { start += 1 }
        while start < end, line[end - 1] <= 0x20 { end -= 1 }
        return UnsafeRawBufferPointer(rebasing: line[start..<end])
    }
}
