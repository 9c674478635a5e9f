/// A value that is a single token of the text. The containers read and write it themselves, without a
/// decoder or an encoder.
protocol Scalar: Codable, JSONWritable {
    init(decoding value: JSONValue) throws(JSONError)
    /// Whether JSON can represent the value: it has no infinite numbers and no NaN.
    var isFinite: Bool { get }
}

extension Scalar {
    var isFinite: Bool { true }
}

extension Bool: Scalar {
    init(decoding value: JSONValue) throws(JSONError) { self = try value.bool() }

    /// Writes `true` or `false`.
    @inlinable
    public func write(to writer: inout JSONWriter) { writer.bool(self) }
}

extension String: Scalar {
    init(decoding value: JSONValue) throws(JSONError) { self = try value.string() }

    /// Writes a string.
    @inlinable
    public func write(to writer: inout JSONWriter) { writer.string(self) }
}

extension Double: Scalar {
    init(decoding value: JSONValue) throws(JSONError) { self = try value.number() }

    /// Writes the number; `null` if it is not finite.
    @inlinable
    public func write(to writer: inout JSONWriter) { writer.number(self) }
}

extension Float: Scalar {
    /// Creates the `Float` nearest to a number. Throws `mismatch` for other kinds of values, and
    /// for numbers beyond the range of `Float`.
    init(decoding value: JSONValue) throws(JSONError) {
        self = Float(try value.number())
        guard isFinite else { throw value.mismatch(expected: "in the range of Float") }
    }

    /// Writes the digits that identify the number among all of this type; `null` if it is not finite.
    public func write(to writer: inout JSONWriter) { writer.number(self) }
}

extension FixedWidthInteger where Self: JSONWritable {
    init(decoding value: JSONValue) throws(JSONError) { self = try value.integer(as: Self.self) }

    /// Writes an integer.
    @inlinable
    public func write(to writer: inout JSONWriter) { writer.integer(self) }
}

extension Int: Scalar {}
extension Int8: Scalar {}
extension Int16: Scalar {}
extension Int32: Scalar {}
extension Int64: Scalar {}
extension Int128: Scalar {}
extension UInt: Scalar {}
extension UInt8: Scalar {}
extension UInt16: Scalar {}
extension UInt32: Scalar {}
extension UInt64: Scalar {}
extension UInt128: Scalar {}
