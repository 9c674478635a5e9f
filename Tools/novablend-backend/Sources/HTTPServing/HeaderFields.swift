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
            for field in fields where Self.matches(field.name, name) {
                joined = joined.map { "\($0), \(field.value)" } ?? field.value
            }
            return joined
        }
        set {
            fields.removeAll { Self.matches($0.name, name) }
            if let newValue { append(newValue, for: name) }
        }
    }

    /// The values of all fields with the name, in their order.
    public func values(of name: String) -> [String] {
        fields.filter { Self.matches($0.name, name) }.map(\.value)
    }

    /// Adds a field and retains the others with the same name.
    public mutating func append(_ value: String, for name: String) {
        fields.append((name, value))
    }

    private static func matches(_ first: String, _ second: String) -> Bool {
        first.utf8.count == second.utf8.count
            && first.utf8.elementsEqual(second.utf8) { lowercase($0) == lowercase($1) }
    }

    private static func lowercase(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
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
