/// The path of a value in its document, such as `salons[3].open_time`; empty for the top-level
/// value.
///
/// Computing the path takes time proportional to the text. So the path is computed only when it is
/// displayed or compared: most errors are handled without looking at their path.
public struct JSONPath: Sendable, Hashable, CustomStringConvertible,
    ExpressibleByStringInterpolation
{
    // A class, to keep errors with a path small.
    private final class Location: Sendable {
        let value: JSONValue
        let missingKey: StaticString?

        init(_ value: JSONValue, _ missingKey: StaticString?) {
            (self.value, self.missingKey) = (value, missingKey)
        }
    }

    private enum Storage: Sendable {
        case text(String)
        case location(Location)
    }

    private let storage: Storage

    /// The path of `value`, or of `missingKey` in the object `value`.
    init(of value: JSONValue, missingKey: StaticString? = nil) {
        storage = .location(Location(value, missingKey))
    }

    /// Creates a path from its text.
    public init(stringLiteral text: String) { storage = .text(text) }

    /// The path as text.
    public var description: String {
        switch storage {
        case .text(let text): return text
        case .location(let location):
            let path = location.value.path
            guard let key = location.missingKey else { return path }
            return path.isEmpty ? "\(key)" : "\(path).\(key)"
        }
    }

    /// Whether both paths have the same text.
    public static func == (left: JSONPath, right: JSONPath) -> Bool {
        left.description == right.description
    }

    /// Hashes the text.
    public func hash(into hasher: inout Hasher) { hasher.combine(description) }
}
