import Glibc

/// The header section of a response, which libcurl delivers line by line (RFC 9112, section 2.1).
struct ResponseHead {
    private(set) var headers = HTTPHeaders()
    private(set) var isComplete = false
    private var size = 0

    /// Appends one line; false if all lines together are longer than `limit` bytes.
    mutating func append(_ line: UnsafeRawBufferPointer, limit: Int) -> Bool {
        size += line.count
        guard size <= limit else { return false }
        if Self.isStatusLine(line) {
            // The fields of an interim response are not part of the final one.
            (headers, isComplete) = (HTTPHeaders(), false)
        } else if !isComplete {
            // Trailers are not part of the header section (RFC 9110, section 6.5.1).
            appendField(line)
        }
        return true
    }

    private static func isStatusLine(_ line: UnsafeRawBufferPointer) -> Bool {
        guard let start = line.baseAddress, line.count >= 5 else { return false }
        return memcmp(start, "HTTP/", 5) == 0
    }

    private mutating func appendField(_ line: UnsafeRawBufferPointer) {
        let text = Self.trimmed(line, 0..<line.count)
        if line.first == UInt8(ascii: " ") || line.first == UInt8(ascii: "\t") {
            headers.fold(text)
        } else if text.isEmpty {
            isComplete = true
        } else if let colon = line.firstIndex(of: UInt8(ascii: ":")) {
            headers.add(
                Self.trimmed(line, 0..<colon),
                Self.trimmed(line, colon + 1..<line.count)
            )
        }
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
