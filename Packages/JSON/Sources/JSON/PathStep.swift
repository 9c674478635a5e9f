/// A step of a path: the key of a member, or the index of an element. It is also the coding key of
/// the decoders and encoders.
@_spi(JSONRPC) public enum PathStep: Sendable, Hashable {
    case key(String), index(Int)
}

extension PathStep: CodingKey {
    /// The step to a member.
    @_spi(JSONRPC) public init(stringValue: String) { self = .key(stringValue) }

    /// The step to an element.
    @_spi(JSONRPC) public init(intValue: Int) { self = .index(intValue) }

    /// The key, or a text with the index.
    @_spi(JSONRPC) public var stringValue: String {
        switch self {
        case .key(let key): key
        case .index(let index): "Index \(index)"
        }
    }

    /// The index; nil for a key.
    @_spi(JSONRPC) public var intValue: Int? {
        switch self {
        case .key: nil
        case .index(let index): index
        }
    }
}

extension [PathStep] {
    /// The path as text, such as `salons[3].open_time`.
    var text: String {
        reduce(into: "") { path, step in
            switch step {
            case .key(let key) where key.isEmpty || key.contains(where: Self.needsQuotes):
                path += "[\(JSONFragment { $0.string(key) })]"
            case .key(let key): path += path.isEmpty ? key : "." + key
            case .index(let index): path += "[\(index)]"
            }
        }
    }

    private static func needsQuotes(_ character: Character) -> Bool {
        character.isWhitespace || ".[]\"".contains(character)
            || character.unicodeScalars.contains { $0.value < 0x20 }
    }
}
