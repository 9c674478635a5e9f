/// An entity tag, which identifies a version of a resource (RFC 9110, section 8.8.3).
public struct EntityTag: Sendable, Hashable {
    /// The text between the quotes.
    public let opaque: String
    /// Whether the tag is weak: versions with the same weak tag may differ in insignificant ways.
    public let isWeak: Bool

    /// Creates a tag with this text between the quotes. It must contain no quote, space, or control
    /// character.
    public init(opaque: String, isWeak: Bool = false) {
        self.opaque = opaque
        self.isWeak = isWeak
    }

    /// Whether both have the same text and are strong (RFC 9110, section 8.8.3.2).
    public func matchesStrongly(_ other: EntityTag) -> Bool { self == other && !isWeak }

    /// Whether both have the same text.
    public func matchesWeakly(_ other: EntityTag) -> Bool { opaque == other.opaque }
}

extension EntityTag: LosslessStringConvertible {
    /// Parses the value of an `ETag` field, such as `"a"` or `W/"a"`; nil for any other text.
    public init?(_ text: String) {
        var parser = EntityTagParser(text)
        // Invalid UTF-8 was replaced, so the original tag cannot be sent back.
        guard let tag = parser.onlyTag(), !tag.opaque.contains("\u{FFFD}") else { return nil }
        self = tag
    }

    /// The tag as a field contains it.
    public var description: String { (isWeak ? "W/" : "") + "\"\(opaque)\"" }
}
