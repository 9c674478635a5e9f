/// The head of a response, line by line as libcurl hands it over (RFC 9112, section 2.1).
struct ResponseHead {
    private(set) var headers = HTTPHeaders()
    private(set) var isComplete = false
    private var size = 0

    /// Takes one line; false when all lines are longer than `limit` bytes.
    mutating func take(_ line: UnsafeRawBufferPointer, limit: Int) -> Bool {
        size += line.count
        guard size <= limit else { return false }
        if line.first == UInt8(ascii: "H"), line.starts(with: "HTTP/".utf8) {
            // An interim answer came before: its fields are not those of the answer.
            (headers, isComplete) = (HTTPHeaders(), false)
        } else if !isComplete {
            // What comes after the body is no part of the head (RFC 9110, section 6.5.1).
            takeField(line)
        }
        return true
    }

    private mutating func takeField(_ line: UnsafeRawBufferPointer) {
        let text = Self.trimmed(line[...])
        if line.first == UInt8(ascii: " ") || line.first == UInt8(ascii: "\t") {
            headers.fold(String(decoding: text, as: UTF8.self))
        } else if text.isEmpty {
            isComplete = true
        } else if let colon = line.firstIndex(of: UInt8(ascii: ":")) {
            let (name, value) = (Self.trimmed(line[..<colon]), Self.trimmed(line[(colon + 1)...]))
            headers.add(
                String(decoding: name, as: UTF8.self),
                String(decoding: value, as: UTF8.self)
            )
        }
    }

    private static func trimmed(
        _ bytes: Slice<UnsafeRawBufferPointer>
    ) -> Slice<UnsafeRawBufferPointer> {
        let front = bytes.drop { $0 <= 0x20 }
        let end = front.lastIndex { $0 > 0x20 }.map { $0 + 1 } ?? front.startIndex
        return front[..<end]
    }
}
