/// Reads the value of a header field byte by byte (RFC 9110, section 5.6).
///
/// Each method reads what its name says, if that comes next, and otherwise reads nothing.
struct FieldParser {
    private var rest: ArraySlice<UInt8>

    init(_ value: String) { rest = Array(value.utf8)[...] }

    /// The elements of the lists in all fields with a name; nil if one of them is malformed. A list
    /// may have empty elements. Each field is parsed on its own, so that what a client sends in one
    /// cannot change the meaning of another.
    static func list<Element>(
        _ fields: [String],
        _ element: (inout FieldParser) -> Element?
    ) -> [Element]? {
        var elements: [Element] = []
        for field in fields {
            var parser = FieldParser(field)
            while true {
                repeat { parser.skipBlanks() } while parser.take(",")
                if parser.isAtEnd { break }
                guard let next = element(&parser) else { return nil }
                elements.append(next)
                parser.skipBlanks()
                guard parser.isAtEnd || parser.take(",") else { return nil }
            }
        }
        return elements
    }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func skipBlanks() { rest = rest.drop(while: \.isBlank) }

    /// Reads one character. Returns whether it was there.
    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest.removeFirst()
        return true
    }

    mutating func token() -> String? { text(\.isTokenCharacter) }

    /// Visible ASCII characters other than those that separate or quote values, such as
    /// `[2001:db8::1]:80` or `/path`.
    mutating func word() -> String? {
        text { $0 > 0x20 && $0 < 0x7F && !"\",;\\".utf8.contains($0) }
    }

    /// The content of a quoted string of ASCII characters.
    mutating func quotedString() -> String? {
        guard rest.first == UInt8(ascii: "\"") else { return nil }
        var text: [UInt8] = []
        var bytes = rest.dropFirst()
        while var byte = bytes.popFirst() {
            if byte == UInt8(ascii: "\"") {
                rest = bytes
                return String(decoding: text, as: UTF8.self)
            }
            if byte == UInt8(ascii: "\\") {
                guard let escaped = bytes.popFirst() else { return nil }
                byte = escaped
            }
            guard byte.isBlank || (byte > 0x20 && byte < 0x7F) else { return nil }
            text.append(byte)
        }
        return nil
    }

    /// Reads the next bytes for which `isPart` returns true. Returns nil if it returns false for the
    /// first one.
    private mutating func text(_ isPart: (UInt8) -> Bool) -> String? {
        let text = rest.prefix(while: isPart)
        if text.isEmpty { return nil }
        rest = rest[text.endIndex...]
        return String(decoding: text, as: UTF8.self)
    }
}
