/// An entity tag (RFC 9110, section 8.8.3).
struct EntityTag: Sendable, Hashable {
    /// The text between the quotes.
    var opaque: String
    var isWeak = false

    /// The strong tag of a version.
    init(version: Int) { opaque = String(version) }

    /// Creates a tag with this text between the quotes.
    init(_ opaque: String, isWeak: Bool = false) {
        self.opaque = opaque
        self.isWeak = isWeak
    }

    /// The version that the tag stands for; nil for a weak tag, and for text that no version has.
    var version: Int? {
        guard !isWeak, let version = Int(opaque), String(version) == opaque else { return nil }
        return version
    }

    /// Whether both have the same text and are strong (RFC 9110, section 8.8.3.2).
    func matchesStrongly(_ other: EntityTag) -> Bool { self == other && !isWeak }

    /// Whether both have the same text.
    func matchesWeakly(_ other: EntityTag) -> Bool { opaque == other.opaque }
}

extension EntityTag: CustomStringConvertible {
    /// The tag as a field contains it.
    var description: String { isWeak ? "W/\"\(opaque)\"" : "\"\(opaque)\"" }
}
