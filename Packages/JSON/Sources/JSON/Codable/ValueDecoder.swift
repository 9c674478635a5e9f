/// Decodes the value at a tape index. It has three words, which an existential stores inline.
struct ValueDecoder {
    let context: DecodingContext
    let index: Int
    /// The number of containers around the value.
    let depth: Int

    var value: JSONValue { JSONValue(document: context.document, index: index) }
}

extension ValueDecoder: Decoder {
    // Computed on demand, like the path of an error.
    var codingPath: [any CodingKey] { context.document.steps(to: index) }

    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard value.kind == .object else { throw value.mismatch(expected: "an object") }
        return KeyedDecodingContainer(ObjectDecoder(object: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard value.kind == .array else { throw value.mismatch(expected: "an array") }
        return ArrayDecoder(of: self)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }
}

extension ValueDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool { value.isNull }

    func decode(_ type: Bool.Type) throws -> Bool { try value.bool() }

    func decode(_ type: String.Type) throws -> String { try value.string() }

    func decode(_ type: Double.Type) throws -> Double { try value.number() }

    func decode(_ type: Float.Type) throws -> Float { try value.float() }

    // Satisfies the requirements for all integer types.
    func decode<Integer: FixedWidthInteger & Decodable>(_ type: Integer.Type) throws -> Integer {
        try value.integer(as: type)
    }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try Value(from: self) }
}

extension JSONValue {
    /// The value as the nearest `Float`. Throws `mismatch` for other kinds and outside its range.
    func float() throws(JSONError) -> Float {
        let number = Float(try number())
        guard number.isFinite else { throw mismatch(expected: "in the range of Float") }
        return number
    }
}
