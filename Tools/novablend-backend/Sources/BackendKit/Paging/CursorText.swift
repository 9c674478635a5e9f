import JSON

/// The text of a cursor: bytes and their checksum.
enum CursorText {
    static func encode(_ bytes: [UInt8]) -> String { Base64.encodeURL(bytes + checksum(bytes)) }

    /// Nil for text that ``encode(_:)`` did not return.
    static func decode(_ text: String) -> [UInt8]? {
        guard let bytes = Base64.decodeURL(text), bytes.count >= 4,
            checksum(bytes.dropLast(4)).elementsEqual(bytes.suffix(4))
        else { return nil }
        return bytes.dropLast(4)
    }

    /// FNV-1a with 32 bits. It detects mistakes, not forgeries: a cursor grants no access.
    private static func checksum(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        let hash = bytes.reduce(0x811C_9DC5 as UInt32) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
        return [hash >> 24, hash >> 16, hash >> 8, hash].map { UInt8(truncatingIfNeeded: $0) }
    }
}
