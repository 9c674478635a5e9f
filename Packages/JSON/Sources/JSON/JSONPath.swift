/// The location of a value in its text, like `salons[3].open_time`; empty for the whole text.
///
/// It is found by a walk from the root, whose cost grows with the text, so that happens only when it
/// is displayed or compared: most mismatches are handled without a look at it.
public struct JSONPath: Sendable, Hashable, CustomStringConvertible,
    ExpressibleByStringInterpolation
{
    // A class, so that an error that carries a path stays small.
    private final class Place: Sendable {
        let value: JSONValue
        let missingKey: StaticString?

        init(_ value: JSONValue, _ missingKey: StaticString?) {
            (self.value, self.missingKey) = (value, missingKey)
        }
    }

    private enum Storage: Sendable {
        case text(String)
        case place(Place)
    }

    private let storage: Storage

    /// The path of `value`, or of a key that is missing in it.
    init(of value: JSONValue, missingKey: StaticString? = nil) {
        storage = .place(Place(value, missingKey))
    }

    /// A path that is already known.
    public init(stringLiteral text: String) { storage = .text(text) }

    /// The path as text.
    public var description: String {
        switch storage {
        case .text(let text): return text
        case .place(let place):
            let path = place.value.path
            guard let key = place.missingKey else { return path }
            return path.isEmpty ? "\(key)" : "\(path).\(key)"
        }
    }

    /// Whether both have the same text.
    public static func == (left: JSONPath, right: JSONPath) -> Bool {
        left.description == right.description
    }

    /// Hashes the text.
    public func hash(into hasher: inout Hasher) { hasher.combine(description) }
}
