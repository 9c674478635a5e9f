/// An entity tag, which identifies a version of a resource (RFC 9110, section 8.8.3).
public struct EntityTag: Sendable, Hashable {
    /// The text between the quotes.
    public let opaque: String
    /// Whether the tag is weak: versions with the same weak tag may differ in insignificant ways.
    public let isWeak: Bool

    /// Parses the value of an `ETag` header, such as `"a"` or `W/"a"`; nil for any other text.
    public init?(_ text: String) {
        isWeak = text.hasPrefix("W/")
        let quoted = text.utf8.dropFirst(isWeak ? 2 : 0)
        let quote = UInt8(ascii: "\"")
        guard quoted.count >= 2, quoted.first == quote, quoted.last == quote,
            let opaque = String(quoted.dropFirst().dropLast()),
            opaque.utf8.allSatisfy({ $0 > 0x20 && $0 != quote && $0 != 0x7F }),
            // Invalid UTF-8 was replaced, so the original tag cannot be sent back.
            !opaque.contains("\u{FFFD}")
        else { return nil }
        self.opaque = opaque
    }
}

extension EntityTag: LosslessStringConvertible {
    /// The tag as it is written in a header.
    public var description: String { (isWeak ? "W/" : "") + "\"\(opaque)\"" }
}
