/// Encodes the elements of an array.
struct ArrayEncoder: UnkeyedEncodingContainer {
    let context: EncodingContext
    private(set) var count = 0

    var codingPath: [any CodingKey] { context.path }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) -> KeyedEncodingContainer<NestedKey> {
        superEncoder().container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        superEncoder().unkeyedContainer()
    }

    mutating func superEncoder() -> any Encoder {
        defer { count += 1 }
        return ValueEncoder(context: context.child(at: .index(count)))
    }

    mutating func encodeNil() {
        context.writer.null()
        count += 1
    }

    mutating func encode<Value: Scalar>(_ value: Value) throws {
        guard value.isFinite else { throw context.notFinite(at: .index(count)) }
        value.write(to: &context.writer)
        count += 1
    }

    mutating func encode<Value: Encodable>(_ value: Value) throws {
        try context.encode(value, at: .index(count))
        count += 1
    }
}
