/// Encodings that JSON does not allow but that some programs send (RFC 8259, section 8.1).
enum TextEncoding: String {
    case utf8WithByteOrderMark = "UTF-8 with a byte order mark"
    case utf16 = "UTF-16"
    case utf32 = "UTF-32"

    /// Detects the encoding from a byte order mark, or from the zero bytes of the first characters:
    /// every object and array begins with an ASCII character. The result is nil if the text looks
    /// like plain UTF-8.
    init?(of bytes: UnsafeRawBufferPointer) {
        let first = Array(bytes.prefix(4))
        if first.starts(with: Self.utf8ByteOrderMark) {
            self = .utf8WithByteOrderMark
        } else if [[0xFF, 0xFE, 0, 0], [0, 0, 0xFE, 0xFF]].contains(first) {
            self = .utf32
        } else if first.starts(with: [0xFF, 0xFE]) || first.starts(with: [0xFE, 0xFF]) {
            self = .utf16
        } else {
            switch first.map({ $0 == 0 }) {
            case [true, true, true, false], [false, true, true, true]: self = .utf32
            case [true, false, true, false], [false, true, false, true]: self = .utf16
            default: return nil
            }
        }
    }

    static let utf8ByteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
}
