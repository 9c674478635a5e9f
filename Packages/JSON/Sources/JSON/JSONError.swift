/// Why a text is not the JSON that was expected.
public enum JSONError: Error, Hashable, Sendable {
    /// It is no JSON (RFC 8259).
    case malformed(reason: String)
    /// It is longer than the limit.
    case tooLarge(maximumBytes: Int)
    /// It is nested deeper than the limit.
    case tooDeep(maximumDepth: Int)
    /// It is JSON, but not of the expected shape at `path`, which looks like `salons[3].open_time`;
    /// the path of the whole is empty.
    case mismatch(path: String, expected: String)
}

extension JSONError: CustomStringConvertible {
    /// The reason in words.
    public var description: String {
        switch self {
        case .malformed(let reason): "not JSON: \(reason)"
        case .tooLarge(let maximum): "longer than \(maximum) bytes"
        case .tooDeep(let maximum): "nested deeper than \(maximum) levels"
        case .mismatch("", let expected): "the whole must be \(expected)"
        case .mismatch(let path, let expected): "\(path) must be \(expected)"
        }
    }
}
