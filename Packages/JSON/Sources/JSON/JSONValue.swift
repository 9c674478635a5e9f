/// A value within a parsed text: a view, cheap to copy, that keeps its document alive.
public struct JSONValue: Sendable {
    /// The kinds of JSON values.
    public enum Kind: Sendable { case object, array, string, number, bool, null }

    @usableFromInline let document: JSONDocument
    @usableFromInline let index: Int

    @inlinable
    init(document: JSONDocument, index: Int) {
        self.document = document
        self.index = index
    }

    @inlinable var word: TapeWord { document.word(at: index) }

    /// What kind of value it is.
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

    /// Whether it is `null`.
    @inlinable public var isNull: Bool { kind == .null }

    /// Where it stands, like `salons[3].open_time`; empty for the whole. Found by a walk from the
    /// root, so meant for messages.
    public var path: String { document.path(to: index) }

    /// The error that says what was expected here.
    public func mismatch(expected: String) -> JSONError {
        .mismatch(path: JSONPath(of: self), expected: expected)
    }

    /// The object that it is; throws `mismatch`.
    @inlinable @inline(__always)
    public func object() throws(JSONError) -> JSONObject {
        guard kind == .object else { throw mismatch(expected: "an object") }
        return JSONObject(value: self)
    }

    /// The array that it is; throws `mismatch`.
    @inlinable
    public func array() throws(JSONError) -> JSONArray {
        guard kind == .array else { throw mismatch(expected: "an array") }
        return JSONArray(value: self)
    }

    /// The string that it is; throws `mismatch`.
    @inlinable @inline(__always)
    public func string() throws(JSONError) -> String {
        guard kind == .string else { throw mismatch(expected: "a string") }
        return document.string(at: index)
    }

    /// The bytes of the string that it is, unescaped, without a copy; throws `mismatch`.
    @inlinable @inline(__always)
    public func withUTF8<R>(_ body: (UnsafeBufferPointer<UInt8>) -> R) throws(JSONError) -> R {
        guard kind == .string else { throw mismatch(expected: "a string") }
        return withExtendedLifetime(document) { body(document.utf8(at: index)) }
    }

    /// The integer that it is, where 1.0 is one too; throws `mismatch`, also outside `Int`.
    public func integer() throws(JSONError) -> Int {
        let bits = document.bits(at: index + 1)
        let integer: Int? =
            switch word.type {
            case UInt8(ascii: "l"): Int(Int64(bitPattern: bits))
            case UInt8(ascii: "u"): Int(exactly: bits)
            case UInt8(ascii: "d"): Int(exactly: Double(bitPattern: bits))
            default: nil
            }
        guard let integer else { throw mismatch(expected: "an integer") }
        return integer
    }

    /// The number that it is; throws `mismatch`.
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

    /// The integer that it is, where its digits can only have been these; nil for anything else, also
    /// for 1.0, and for 0, which may have been -0.
    public var plainInteger: Int? {
        guard word.type == UInt8(ascii: "l") else { return nil }
        let integer = Int(Int64(bitPattern: document.bits(at: index + 1)))
        return integer == 0 ? nil : integer
    }

    /// The truth value that it is; throws `mismatch`.
    public func bool() throws(JSONError) -> Bool {
        guard kind == .bool else { throw mismatch(expected: "true or false") }
        return word.type == UInt8(ascii: "t")
    }
}

extension JSONValue {
    /// How a number is stored, for writing it again without loss.
    enum StoredNumber { case signed(Int64), unsigned(UInt64), double(Double) }

    var storedNumber: StoredNumber? {
        let bits = document.bits(at: index + 1)
        switch word.type {
        case UInt8(ascii: "l"): return .signed(Int64(bitPattern: bits))
        case UInt8(ascii: "u"): return .unsigned(bits)
        case UInt8(ascii: "d"): return .double(Double(bitPattern: bits))
        default: return nil
        }
    }
}
