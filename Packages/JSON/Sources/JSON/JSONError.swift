/// Why a text is not the expected JSON.
public enum JSONError: Error, Hashable, Sendable {
    /// The text is not valid JSON (RFC 8259).
    case malformed(reason: String)
    /// The text is longer than the limit.
    case tooLarge(maximumBytes: Int)
    /// The text is nested deeper than the limit.
    case tooDeep(maximumDepth: Int)
    /// The text has the named encoding instead of UTF-8 (RFC 8259, section 8.1).
    case wrongEncoding(name: String)
    /// The value at `path` is missing or does not have the expected type.
    case mismatch(path: JSONPath, expected: String)
}

extension JSONError: CustomStringConvertible {
    /// The reason, for the user.
    public var description: String {
        switch self {
        case .malformed(let reason): "not JSON: \(reason)"
        case .tooLarge(let maximum): "longer than \(maximum) bytes"
        case .tooDeep(let maximum): "nested deeper than \(maximum) levels"
        case .wrongEncoding(let name):
            "the text is \(name); JSON must be plain UTF-8 (RFC 8259, section 8.1)"
        case .mismatch(let path, let expected): Self.sentence(path.description, expected)
        }
    }

    private static func sentence(_ path: String, _ expected: String) -> String {
        "\(path.isEmpty ? "the document" : path) must be \(expected)"
    }
}
