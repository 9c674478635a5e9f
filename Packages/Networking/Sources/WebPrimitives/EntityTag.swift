/// An entity tag, which identifies a version of a resource (RFC 9110, section 8.8.3).
public struct EntityTag: Sendable, Hashable {
    /// The text of the tag between the quotes.
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

/// Parses entity tags. A tag may contain commas, and a list may have empty elements (RFC
/// 9110, sections 5.6.1.2 and 8.8.3).
struct EntityTagParser {
    private let bytes: [UInt8]
    private var index = 0

    init(_ value: String) { bytes = Array(value.utf8) }

    /// The tag that is the whole text; nil if the text is something else.
    mutating func onlyTag() -> EntityTag? {
        let tag = tag()
        return index == bytes.count ? tag : nil
    }

    /// The tags of a list; nil if the text is invalid.
    mutating func tags() -> [EntityTag]? {
        var tags: [EntityTag] = []
        while true {
            while skip(",") || skip(" ") || skip("\t") {}
            if index == bytes.count { return tags }
            guard let tag = tag() else { return nil }
            tags.append(tag)
            while skip(" ") || skip("\t") {}
            guard index == bytes.count || skip(",") else { return nil }
        }
    }

    private mutating func tag() -> EntityTag? {
        let isWeak = skip("W")
        if isWeak, !skip("/") { return nil }
        guard skip("\"") else { return nil }
        let start = index
        while index < bytes.count, Self.isTagByte(bytes[index]) { index += 1 }
        let opaque = String(decoding: bytes[start..<index], as: UTF8.self)
        return skip("\"") ? EntityTag(opaque: opaque, isWeak: isWeak) : nil
    }

    private static func isTagByte(_ byte: UInt8) -> Bool {
        byte == 0x21 || (0x23...0x7E).contains(byte) || byte >= 0x80
    }

    private mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard index < bytes.count, bytes[index] == UInt8(ascii: character) else { return false }
        index += 1
        return true
    }
}
