/// Decodes the value at a tape index. It has three words, which an existential stores inline.
struct ValueDecoder {
    let context: DecodingContext
    let index: Int
    /// The number of containers around the value.
    let depth: Int

    var value: JSONValue { JSONValue(document: context.document, index: index) }
}

extension ValueDecoder: Decoder {
    // The path is computed on demand, like that of an error.
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

    // This method satisfies the requirements for Booleans, strings, and all types of numbers.
    func decode<Value: Scalar>(_ type: Value.Type) throws -> Value { try Value(decoding: value) }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try Value(from: self) }
}
