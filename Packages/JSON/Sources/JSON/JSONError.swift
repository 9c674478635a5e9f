/// Why a text is not the JSON that was expected.
public enum JSONError: Error, Hashable, Sendable {
    /// It is no JSON (RFC 8259).
    case malformed(reason: String)
    /// It is longer than the limit.
    case tooLarge(maximumBytes: Int)
    /// It is nested deeper than the limit.
    case tooDeep(maximumDepth: Int)
    /// It is not in the one encoding that JSON has (RFC 8259, section 8.1), but in the named one.
    case wrongEncoding(name: String)
    /// It is JSON, but not of the expected shape at `path`.
    case mismatch(path: JSONPath, expected: String)
}

extension JSONError: CustomStringConvertible {
    /// The reason in words.
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
        "\(path.isEmpty ? "the whole" : path) must be \(expected)"
    }
}
