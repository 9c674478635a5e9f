/// Header fields in the order in which they were added; names compare without regard to case.
public struct HTTPHeaders: Sendable, Hashable, ExpressibleByDictionaryLiteral {
    /// One field.
    public struct Field: Sendable, Hashable {
        /// Its name, as it was written.
        public var name: String
        /// Its value, without white space around it.
        public var value: String
    }

    /// The fields in order.
    public private(set) var fields: [Field] = []

    /// Makes an empty list.
    public init() {}

    /// Makes a list of fields.
    public init(dictionaryLiteral elements: (String, String)...) {
        for (name, value) in elements { add(name, value) }
    }

    /// The first value of `name`; setting takes the place of all, and nil removes them.
    public subscript(name: String) -> String? {
        get { fields.first { Self.isSame($0.name, name) }?.value }
        set {
            remove(name)
            if let newValue { add(name, newValue) }
        }
    }

    /// Adds a field, beside others of its name.
    public mutating func add(_ name: String, _ value: String) {
        fields.append(Field(name: name, value: value))
    }

    /// Removes all fields of that name.
    public mutating func remove(_ name: String) {
        fields.removeAll { Self.isSame($0.name, name) }
    }

    /// Continues the last value on a line of its own, which is one space (RFC 9112, section 5.2).
    mutating func fold(_ text: String) {
        guard let last = fields.indices.last else { return }
        fields[last].value += " " + text
    }

    private static func isSame(_ first: String, _ second: String) -> Bool {
        first.utf8.elementsEqual(second.utf8) { lowercased($0) == lowercased($1) }
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte
    }

    /// Whether every name is a token, no value can end its line (RFC 9110, section 5), and none says
    /// where the message ends: that is for the client to say.
    var areWellFormed: Bool {
        fields.allSatisfy { field in
            !field.name.isEmpty && field.name.utf8.allSatisfy(Self.isTokenByte)
                && field.value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
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
