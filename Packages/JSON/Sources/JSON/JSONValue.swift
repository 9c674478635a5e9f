/// A value in a parsed document. It is a view that is cheap to copy and keeps the document alive.
public struct JSONValue: Sendable {
    /// The kinds of JSON values.
    public enum Kind: Sendable {
        /// An object.
        case object
        /// An array.
        case array
        /// A string.
        case string
        /// A number.
        case number
        /// `true` or `false`.
        case bool
        /// `null`.
        case null
    }

    @usableFromInline let document: JSONDocument
    @usableFromInline let index: Int

    @inlinable
    init(document: JSONDocument, index: Int) {
        self.document = document
        self.index = index
    }

    @inlinable var word: TapeWord { document.word(at: index) }

    /// The kind of the value.
    @inlinable @inline(__always)
    public var kind: Kind {
        switch word.type {
        case UInt8(ascii: "{"): .object
        case UInt8(ascii: "["): .array
        case UInt8(ascii: "\""): .string
        case UInt8(ascii: "l"), UInt8(ascii: "u"), UInt8(ascii: "d"): .number
        case UInt8(ascii: "t"), UInt8(ascii: "f"): .bool
        default: .null
        }
    }

    /// Whether the value is `null`.
    @inlinable public var isNull: Bool { kind == .null }

    /// The path of the value, such as `salons[3].open_time`; empty for the top-level value.
    public var path: JSONPath { JSONPath(of: self) }

    /// Creates an error that says what was expected instead of this value.
    public func mismatch(expected: String) -> JSONError {
        .mismatch(path: path, expected: expected)
    }

    /// The value as an object. Throws `mismatch` for other kinds.
    @inlinable @inline(__always)
    public func object() throws(JSONError) -> JSONObject {
        guard kind == .object else { throw mismatch(expected: "an object") }
        return JSONObject(value: self)
    }

    /// The value as an array. Throws `mismatch` for other kinds.
    @inlinable
    public func array() throws(JSONError) -> JSONArray {
        guard kind == .array else { throw mismatch(expected: "an array") }
        return JSONArray(value: self)
    }

    /// The value as a string. Throws `mismatch` for other kinds.
    @inlinable @inline(__always)
    public func string() throws(JSONError) -> String {
        guard kind == .string else { throw mismatch(expected: "a string") }
        return document.string(at: index)
    }

    /// Calls `body` with the unescaped bytes of the string, without copying them. Throws `mismatch`
    /// for other kinds.
    @inlinable @inline(__always)
    public func withUTF8<R>(_ body: (UnsafeBufferPointer<UInt8>) -> R) throws(JSONError) -> R {
        guard kind == .string else { throw mismatch(expected: "a string") }
        return withExtendedLifetime(document) { body(document.utf8(at: index)) }
    }

    /// The value as an integer. A number such as 1.0 or 1e3 counts as an integer if its magnitude is
    /// less than 2^53; a larger one could have been rounded by the parser. Throws `mismatch` for other values,
    /// including integers that do not fit in `Int`.
    public func integer() throws(JSONError) -> Int { try integer(as: Int.self) }

    /// The value as an integer of any width, with the same rules as ``integer()``. Throws `mismatch`
    /// for other values, including integers that do not fit in the type.
    public func integer<Integer: FixedWidthInteger>(
        as type: Integer.Type
    ) throws(JSONError) -> Integer {
        let bits = document.bits(at: index + 1)
        let integer: Integer? =
            switch word.type {
            case UInt8(ascii: "l"): Integer(exactly: Int64(bitPattern: bits))
            case UInt8(ascii: "u"): Integer(exactly: bits)
            case UInt8(ascii: "d"): Self.exactInteger(Double(bitPattern: bits))
            default: nil
            }
        if let integer { return integer }
        let range = type == Int.self ? "" : " from \(Integer.min) to \(Integer.max)"
        throw mismatch(expected: "an integer\(range)")
    }

    private static func exactInteger<Integer: FixedWidthInteger>(_ number: Double) -> Integer? {
        number.magnitude < 0x1p53 ? Integer(exactly: number) : nil
    }

    /// The value as a number. An integer beyond 2^53 becomes the nearest `Double`. Throws `mismatch`
    /// for other kinds.
    @inlinable @inline(__always)
    public func number() throws(JSONError) -> Double {
        let bits = document.bits(at: index + 1)
        switch word.type {
        case UInt8(ascii: "l"): return Double(Int64(bitPattern: bits))
        case UInt8(ascii: "u"): return Double(bits)
        case UInt8(ascii: "d"): return Double(bitPattern: bits)
        default: throw mismatch(expected: "a number")
        }
    }

    /// The value as an integer, if the integer determines how the text spells the value; nil otherwise,
    /// for example for 1.0, and for 0, which the text may spell -0.
    @_spi(JSONRPC) public var canonicalInteger: Int? {
        guard word.type == UInt8(ascii: "l") else { return nil }
        let integer = Int(Int64(bitPattern: document.bits(at: index + 1)))
        return integer == 0 ? nil : integer
    }

    /// The value as a Boolean. Throws `mismatch` for other kinds.
    public func bool() throws(JSONError) -> Bool {
        guard kind == .bool else { throw mismatch(expected: "true or false") }
        return word.type == UInt8(ascii: "t")
    }
}

extension JSONValue: CustomStringConvertible {
    /// The value as JSON text, as ``JSONWriter/value(_:)`` writes it.
    public var description: String { JSONFragment { $0.value(self) }.description }
}
