/// The path of a value in its document, such as `salons[3].open_time`; empty for the top-level
/// value. A key that contains dots, brackets, quotes, white space, or control characters, or that is
/// empty, is quoted, as in `window["font.size"]`.
///
/// Computing the path takes time proportional to the text. So the path is computed only when it is
/// displayed or compared: most errors are handled without looking at their path.
public struct JSONPath: Sendable, Hashable, CustomStringConvertible,
    ExpressibleByStringInterpolation
{
    // The storage is indirect, to keep errors with a path small.
    private enum Storage: Sendable {
        case text(String)
        indirect case location(JSONValue, missing: PathStep?)
    }

    private let storage: Storage

    /// Creates the path of `value`, or of its missing member or element.
    init(of value: JSONValue, missing: PathStep? = nil) {
        storage = .location(value, missing: missing)
    }

    /// Creates the path that consists of these steps.
    @_spi(JSONRPC) public init(_ steps: [PathStep]) { storage = .text(steps.text) }

    /// Creates a path from its text.
    public init(stringLiteral text: String) { storage = .text(text) }

    /// The path as text.
    public var description: String {
        switch storage {
        case .text(let text): return text
        case .location(let value, let missing):
            let steps = value.document.steps(to: value.index)
            return (steps + (missing.map { [$0] } ?? [])).text
        }
    }

    /// Whether both paths have the same text.
    public static func == (left: JSONPath, right: JSONPath) -> Bool {
        left.description == right.description
    }

    /// Hashes the text of the path.
    public func hash(into hasher: inout Hasher) { hasher.combine(description) }
}
