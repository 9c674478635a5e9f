/// The content lines of an iCalendar object, folded and with line endings (RFC 5545, section 3.1).
struct ContentLines {
    /// The maximum length of a line in octets, without its line ending.
    private static let maximumLength = 75

    private(set) var bytes: [UInt8] = []

    /// Appends a line with a value of type TEXT (section 3.3.11).
    mutating func append(_ name: StaticString, text: String) {
        append(name, Self.escaped(text))
    }

    /// Appends a line. A long line is folded, but never within a character.
    mutating func append(_ name: StaticString, _ value: String) {
        var length = 0
        for scalar in "\(name):\(value)".unicodeScalars {
            let encoded = UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
            if length + encoded.count > Self.maximumLength {
                bytes += [0x0D, 0x0A, 0x20]
                length = 1
            }
            bytes.append(contentsOf: encoded)
            length += encoded.count
        }
        bytes += [0x0D, 0x0A]
    }

    /// Escapes special characters. Every character that any reader might treat as a line ending
    /// becomes an escaped newline. Other control characters, except the tab, are removed.
    static func escaped(_ text: String) -> String {
        var escaped = ""
        var previous: Unicode.Scalar = " "
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\", ";", ",":
                escaped.unicodeScalars.append("\\")
                escaped.unicodeScalars.append(scalar)
            case "\n" where previous == "\r": break
            case "\n", "\u{B}", "\u{C}", "\r", "\u{85}", "\u{2028}", "\u{2029}": escaped += "\\n"
            case "\t": escaped.unicodeScalars.append(scalar)
            case "\0"..<" ", "\u{7F}"..<"\u{A0}": break
            default: escaped.unicodeScalars.append(scalar)
            }
            previous = scalar
        }
        return escaped
    }
}
