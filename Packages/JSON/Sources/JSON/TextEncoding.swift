/// The encodings that JSON once had, or that a text has by mistake (RFC 8259, section 8.1).
enum TextEncoding: String {
    case utf8WithMark = "UTF-8 with a byte order mark"
    case utf16 = "UTF-16"
    case utf32 = "UTF-32"

    /// The encoding of a text that is not plain UTF-8, by its byte order mark, or by the zeros that
    /// ASCII characters have in wider encodings, with which any object or array begins.
    init?(of bytes: UnsafeRawBufferPointer) {
        let first = Array(bytes.prefix(4))
        if first.starts(with: Self.utf8Mark) {
            self = .utf8WithMark
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

    static let utf8Mark: [UInt8] = [0xEF, 0xBB, 0xBF]
}
