import JSON
import WebPrimitives

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

    /// It detects mistakes, not forgeries: a cursor grants no access.
    private static func checksum(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        withUnsafeBytes(of: FNV1a.hash(bytes).bigEndian) { Array($0.suffix(4)) }
    }
}
