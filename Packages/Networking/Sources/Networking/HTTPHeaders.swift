/// Header fields in the order in which they were added; names compare without regard to case.
public struct HTTPHeaders: Sendable, Hashable, ExpressibleByDictionaryLiteral {
    /// One field.
    public struct Field: Sendable, Hashable {
        /// Its name, as it was written.
        public var name: String
        /// Its value, without white space around it.
        public var value: String
    }

    private var text = HeaderText()

    /// The fields in order.
    public var fields: [Field] {
        text.places.map { Field(name: text.string($0.name), value: text.string($0.value)) }
    }

    /// Makes an empty list.
    public init() {}

    /// Makes a list of fields.
    public init(dictionaryLiteral elements: (String, String)...) {
        for (name, value) in elements { add(name, value) }
    }

    /// The first value of `name`; setting takes the place of all, and nil removes them.
    public subscript(name: String) -> String? {
        get { text.firstPlace(of: name).map { text.string($0.value) } }
        set {
            remove(name)
            if let newValue { add(name, newValue) }
        }
    }

    /// Adds a field, beside others of its name.
    public mutating func add(_ name: String, _ value: String) {
        var (name, value) = (name, value)
        name.withUTF8 { name in
            value.withUTF8 { value in
                add(UnsafeRawBufferPointer(name), UnsafeRawBufferPointer(value))
            }
        }
    }

    /// Adds a field that is there as bytes.
    mutating func add(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
        text.append(name, value)
    }

    /// Removes all fields of that name.
    public mutating func remove(_ name: String) {
        while let place = text.firstPlace(of: name) { text.remove(place) }
    }

    /// Continues the last value on a line of its own, which is one space (RFC 9112, section 5.2).
    mutating func fold(_ more: UnsafeRawBufferPointer) { text.extendLast(by: more) }

    /// Whether every name is a token, no value can end its line (RFC 9110, section 5), and none says
    /// where the message ends: that is for the client to say.
    var areWellFormed: Bool {
        text.places.allSatisfy { place in
            !place.name.isEmpty && text.bytes[place.name].allSatisfy(Self.isTokenByte)
                && text.bytes[place.value].allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
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
