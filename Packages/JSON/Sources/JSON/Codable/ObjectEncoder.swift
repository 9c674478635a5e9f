/// Encodes the members of an object.
struct ObjectEncoder<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let context: EncodingContext

    var codingPath: [any CodingKey] { context.path }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type,
        forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        superEncoder(forKey: key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        superEncoder(forKey: key).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { ValueEncoder(context: context.child(at: .key("super"))) }

    func superEncoder(forKey key: Key) -> any Encoder {
        ValueEncoder(context: context.child(at: .key(key.stringValue)))
    }

    func encodeNil(forKey key: Key) {
        context.writer.key(key.stringValue)
        context.writer.null()
    }

    func encode<Value: Scalar>(_ value: Value, forKey key: Key) throws {
        guard value.isFinite else { throw context.notFinite(at: .key(key.stringValue)) }
        context.writer.member(named: key.stringValue, value)
    }

    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        try context.encode(value, at: .key(key.stringValue))
    }
}
