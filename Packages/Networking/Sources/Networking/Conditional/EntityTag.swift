/// A name for one state of a resource (RFC 9110, section 8.8.3).
public struct EntityTag: Sendable, Hashable {
    /// What stands between the quotes.
    public let opaque: String
    /// Whether states that share it may differ in ways that do not matter.
    public let isWeak: Bool

    /// Reads a tag as `ETag` has it, `"a"` or `W/"a"`; nil for anything else.
    public init?(_ text: String) {
        isWeak = text.hasPrefix("W/")
        let quoted = text.utf8.dropFirst(isWeak ? 2 : 0)
        let quote = UInt8(ascii: "\"")
        guard quoted.count >= 2, quoted.first == quote, quoted.last == quote,
            let opaque = String(quoted.dropFirst().dropLast()),
            opaque.utf8.allSatisfy({ $0 > 0x20 && $0 != quote && $0 != 0x7F }),
            // Bytes that were no UTF-8 are lost: such a tag cannot be sent back.
            !opaque.contains("\u{FFFD}")
        else { return nil }
        self.opaque = opaque
    }
}

extension EntityTag: LosslessStringConvertible {
    /// The tag as a header has it.
    public var description: String { (isWeak ? "W/" : "") + "\"\(opaque)\"" }
}
