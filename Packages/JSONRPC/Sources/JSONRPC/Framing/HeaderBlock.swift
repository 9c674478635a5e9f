/// The headers before a message. Names are case-insensitive; order and white space do not matter.
struct HeaderBlock {
    /// Why the headers are invalid.
    struct InvalidHeaderError: Error {
        let reason: String
        /// Whether the reason is that the message exceeds the limit.
        var isTooLong = false
    }

    static let contentLengthName = Array("content-length".utf8)
    private static let contentTypeName = Array("content-type".utf8)

    /// The length of the block, including the empty line at its end.
    let length: Int
    private let fields: [(name: [UInt8], value: [UInt8])]
    private let hasMalformedLine: Bool

    private static let plainStart = Array("Content-Length: ".utf8)
    private static let plainEnd = Array("\r\n\r\n".utf8)

    /// A fast path for the header block that nearly all clients send: `Content-Length: N`, followed
    /// by an empty line. Returns the lengths of the block and of the message; nil for other blocks,
    /// which ``init(in:)`` parses.
    ///
    /// Without this fast path, parsing the header takes longer than parsing a small message.
    static func plainLengths(in bytes: ArraySlice<UInt8>) -> (block: Int, message: Int)? {
        guard bytes.starts(with: plainStart) else { return nil }
        let digits = bytes.dropFirst(plainStart.count).prefix(9).prefix {
            (0x30...0x39).contains($0)
        }
        guard !digits.isEmpty, bytes[digits.endIndex...].starts(with: plainEnd) else { return nil }
        let message = digits.reduce(0) { $0 * 10 + Int($1 & 0x0F) }
        return (digits.endIndex + plainEnd.count - bytes.startIndex, message)
    }

    /// Parses the block at the start of `bytes`; nil if it is incomplete.
    init?(in bytes: ArraySlice<UInt8>) {
        var fields: [(name: [UInt8], value: [UInt8])] = []
        var hasMalformedLine = false
        var position = bytes.startIndex
        while let end = bytes[position...].firstIndex(of: UInt8(ascii: "\n")) {
            var line = bytes[position..<end]
            if line.last == UInt8(ascii: "\r") { line = line.dropLast() }
            position = end + 1
            if line.isEmpty {
                length = position - bytes.startIndex
                self.fields = fields
                self.hasMalformedLine = hasMalformedLine
                return
            }
            if let colon = line.firstIndex(of: UInt8(ascii: ":")) {
                fields.append((Self.lowercased(line[..<colon]), Self.trim(line[(colon + 1)...])))
            } else {
                hasMalformedLine = true
            }
        }
        return nil
    }

    func contentLength(maximum: Int) throws(InvalidHeaderError) -> Int {
        if hasMalformedLine { throw InvalidHeaderError(reason: "a header line has no colon") }
        if hasOtherCharset { throw InvalidHeaderError(reason: "the charset must be utf-8") }
        let values = fields.filter { $0.name == Self.contentLengthName }.map(\.value)
        guard let value = values.first else {
            throw InvalidHeaderError(reason: "the Content-Length header is missing")
        }
        guard values.allSatisfy({ $0 == value }) else {
            throw InvalidHeaderError(reason: "the Content-Length headers differ")
        }
        guard !value.isEmpty, value.allSatisfy({ (0x30...0x39).contains($0) }) else {
            throw InvalidHeaderError(reason: "the Content-Length is not a number")
        }
        // A number that does not fit in an Int exceeds every limit.
        guard let length = Int(String(decoding: value, as: UTF8.self)), length <= maximum else {
            throw InvalidHeaderError(
                reason: "a message may have at most \(maximum) bytes",
                isTooLong: true
            )
        }
        return length
    }

    /// Whether the content type names an encoding other than UTF-8.
    private var hasOtherCharset: Bool {
        let type = fields.first { $0.name == Self.contentTypeName }?.value ?? []
        return type.split(separator: UInt8(ascii: ";")).dropFirst().contains { parameter in
            let parts = parameter.split(separator: UInt8(ascii: "="), maxSplits: 1)
                .map { Self.lowercased(Self.trim($0)) }
            return parts.first == Self.charsetName
                && !Self.charsets.contains(parts.dropFirst().first ?? [])
        }
    }

    private static let charsetName = Array("charset".utf8)
    private static let charsets = ["utf-8", "utf8", "\"utf-8\"", "\"utf8\""].map { Array($0.utf8) }

    private static func lowercased(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        bytes.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    }

    /// The bytes without spaces and tabs at both ends.
    private static func trim(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        let isBlank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
        return Array(bytes.drop(while: isBlank).reversed().drop(while: isBlank).reversed())
    }
}
