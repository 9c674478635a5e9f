/// Header fields in the order in which they were added. Names are case-insensitive.
public struct HTTPHeaders: Sendable, Hashable, ExpressibleByDictionaryLiteral {
    /// One field.
    public struct Field: Sendable, Hashable {
        /// The name, as it was written.
        public var name: String
        /// The value, without surrounding whitespace.
        public var value: String
    }

    private var text = HeaderText()

    /// The fields in order.
    public var fields: [Field] {
        text.fields.map { Field(name: text.string($0.name), value: text.string($0.value)) }
    }

    /// Creates an empty list.
    public init() {}

    /// Creates a list of fields.
    public init(dictionaryLiteral elements: (String, String)...) {
        for (name, value) in elements { add(name, value) }
    }

    /// The first value of `name`. Setting replaces all values; nil removes them.
    public subscript(name: String) -> String? {
        get { text.firstField(name).map { text.string($0.value) } }
        set {
            remove(name)
            if let newValue { add(name, newValue) }
        }
    }

    /// Adds a field; existing fields of that name stay.
    public mutating func add(_ name: String, _ value: String) {
        var (name, value) = (name, value)
        name.withUTF8 { name in
            value.withUTF8 { value in
                add(UnsafeRawBufferPointer(name), UnsafeRawBufferPointer(value))
            }
        }
    }

    /// Adds a field given as bytes.
    mutating func add(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
        text.append(name, value)
    }

    /// Removes all fields of that name.
    public mutating func remove(_ name: String) {
        while let field = text.firstField(name) { text.remove(field) }
    }

    /// Appends a continuation line to the last value, after one space (RFC 9112, section 5.2).
    mutating func fold(_ more: UnsafeRawBufferPointer) { text.extendLast(by: more) }

    /// Whether every name is a token, no value can end its line (RFC 9110, section 5), and no field
    /// determines the end of the message, which is up to the client.
    var areWellFormed: Bool {
        text.fields.allSatisfy { field in
            !field.name.isEmpty && text.bytes[field.name].allSatisfy(Self.isTokenByte)
                && text.bytes[field.value].allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
        } && self["Content-Length"] == nil && self["Transfer-Encoding"] == nil
    }

    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}
