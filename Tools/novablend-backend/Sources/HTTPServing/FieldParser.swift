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

// Header fields are compared and split as bytes. A Swift character may contain a comma or a quotation
// mark together with what follows it, and equals some other characters, so that a client could hide
// what a proxy adds.

extension UInt8 {
    package var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

    package var isASCIILetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(lowercased) }

    /// The byte, with an ASCII letter in lower case.
    var lowercased: UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self
    }

    /// A space or a tab.
    var isBlank: Bool { self == 0x20 || self == 0x09 }

    /// Whether a token of HTTP, such as the name of a field, may contain this byte (RFC 9110,
    /// section 5.6.2).
    var isTokenCharacter: Bool {
        if isDigit || isASCIILetter { return true }
        switch self {
        case UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"),
            UInt8(ascii: "&"), UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"),
            UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "^"), UInt8(ascii: "_"),
            UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
            return true
        default: return false
        }
    }
}

extension String {
    /// Whether both consist of the same bytes, except for the case of ASCII letters.
    func equalsIgnoringCase(_ other: String) -> Bool {
        utf8.count == other.utf8.count
            && utf8.elementsEqual(other.utf8) { $0.lowercased == $1.lowercased }
    }
}
