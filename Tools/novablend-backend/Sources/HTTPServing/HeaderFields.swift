/// The header fields of a message, in their order. Names are case-insensitive (RFC 9110, section
/// 5.1).
public struct HeaderFields: Sendable {
    private var fields: [(name: String, value: String)] = []

    /// Creates an empty list.
    public init() {}

    /// The value of a field; nil if it is absent. If there are several fields with the name, their
    /// values, joined with commas (RFC 9110, section 5.3).
    ///
    /// Setting it replaces all fields with the name. Setting nil removes them.
    public subscript(name: String) -> String? {
        get {
            var joined: String?
            for field in fields where field.name.equalsIgnoringCase(name) {
                joined = joined.map { "\($0), \(field.value)" } ?? field.value
            }
            return joined
        }
        set {
            fields.removeAll { $0.name.equalsIgnoringCase(name) }
            if let newValue { append(newValue, for: name) }
        }
    }

    /// The values of all fields with the name, in their order.
    public func values(of name: String) -> [String] {
        fields.filter { $0.name.equalsIgnoringCase(name) }.map(\.value)
    }

    /// Adds a field and retains the others with the same name.
    public mutating func append(_ value: String, for name: String) {
        fields.append((name, value))
    }
}

extension HeaderFields: ExpressibleByDictionaryLiteral {
    /// Creates a list of the fields in their order.
    public init(dictionaryLiteral elements: (String, String)...) {
        fields = elements.map { ($0.0, $0.1) }
    }
}

extension HeaderFields: Sequence {
    /// Iterates over the fields in their order.
    public func makeIterator() -> IndexingIterator<[(name: String, value: String)]> {
        fields.makeIterator()
    }
}
