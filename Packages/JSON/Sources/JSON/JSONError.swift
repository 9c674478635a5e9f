/// Why a text is not the expected JSON, or why a value cannot be encoded.
public enum JSONError: Error, Hashable, Sendable {
    /// The text is not valid JSON (RFC 8259).
    case malformed(reason: String, position: JSONPosition)
    /// The text contains an integer of more than 64 bits, or a number beyond the range of `Double`.
    /// RFC 8259, section 6, allows such limits.
    case numberOutOfRange(position: JSONPosition)
    /// The text is longer than the limit.
    case tooLarge(maximumBytes: Int)
    /// The text, or the value to encode, is nested deeper than the limit.
    case tooDeep(maximumDepth: Int)
    /// The text has the named encoding instead of UTF-8 (RFC 8259, section 8.1).
    case wrongEncoding(name: String)
    /// The value at `path` is missing or does not have the expected type. `expected` completes the
    /// sentence "It must be ...", such as `a number`, or `present` for a missing value.
    case mismatch(path: JSONPath, expected: String)
    /// The type that decodes or encodes the value at `path` rejects it.
    case invalid(path: JSONPath, reason: String)
}

extension JSONError: CustomStringConvertible {
    /// The reason for people, such as `salons[3].open_time must be a number`.
    public var description: String {
        switch self {
        case .malformed(let reason, let position): "not JSON: \(reason) (\(position))"
        case .numberOutOfRange(let position): "a number is too large for 64 bits (\(position))"
        case .tooLarge(let maximum): "longer than \(maximum) bytes"
        case .tooDeep(let maximum): "nested deeper than \(maximum) levels"
        case .wrongEncoding(let name):
            "the text is \(name); JSON must be plain UTF-8 (RFC 8259, section 8.1)"
        case .mismatch(let path, let expected): Self.sentence(path.description, expected)
        case .invalid(let path, let reason):
            path.description.isEmpty ? reason : "\(path): \(reason)"
        }
    }

    private static func sentence(_ path: String, _ expected: String) -> String {
        "\(path.isEmpty ? "the document" : path) must be \(expected)"
    }
}
