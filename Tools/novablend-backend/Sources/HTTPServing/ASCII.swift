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
