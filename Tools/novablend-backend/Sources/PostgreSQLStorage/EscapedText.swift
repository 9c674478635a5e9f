/// The form in which text is stored. PostgreSQL cannot store the character NUL in text, so it is
/// replaced by U+10FFFF and `0`, and U+10FFFF, which is not used for text, by U+10FFFF and `1`.
enum EscapedText {
    private static let mark: Unicode.Scalar = "\u{10FFFF}"
    /// The first byte of the mark in UTF-8.
    private static let firstMarkByte: UInt8 = 0xF4

    static func escape(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 == 0 || $0 == firstMarkByte }) else { return text }
        var escaped = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\0": escaped += [mark, "0"]
            case mark: escaped += [mark, "1"]
            default: escaped.append(scalar)
            }
        }
        return String(escaped)
    }

    static func unescape(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
        let text = String(decoding: bytes, as: UTF8.self)
        guard bytes.contains(firstMarkByte) else { return text }
        var unescaped = String.UnicodeScalarView()
        var isAfterMark = false
        for scalar in text.unicodeScalars {
            if isAfterMark {
                unescaped.append(scalar == "0" ? "\0" : mark)
                isAfterMark = false
            } else if scalar == mark {
                isAfterMark = true
            } else {
                unescaped.append(scalar)
            }
        }
        return String(unescaped)
    }
}
