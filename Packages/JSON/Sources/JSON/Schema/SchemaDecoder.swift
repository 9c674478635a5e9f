/// A decoder that returns samples of the types that are read, and records them.
struct SchemaDecoder: Decoder, SingleValueDecodingContainer {
    let recorder: SchemaRecorder
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        recorder.startObject()
        return KeyedDecodingContainer(Members(recorder: recorder, codingPath: codingPath))
    }

    func unkeyedContainer() -> any UnkeyedDecodingContainer {
        Elements(recorder: recorder.startArray(), codingPath: codingPath)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    func decodeNil() -> Bool { false }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try recorder.sample(type, path: codingPath)
    }
}

private struct Members<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let recorder: SchemaRecorder
    let codingPath: [any CodingKey]
    var allKeys: [Key] { [] }

    func contains(_ key: Key) -> Bool {
        _ = recorder.member(key.stringValue, isOptional: true)
        return true
    }

    func decodeNil(forKey key: Key) -> Bool { false }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try decoder(key).decode(type)
    }

    private func decoder(_ key: some CodingKey) -> SchemaDecoder {
        SchemaDecoder(recorder: recorder.member(key.stringValue), codingPath: codingPath + [key])
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type,
        forKey key: Key
    ) -> KeyedDecodingContainer<NestedKey> {
        decoder(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedDecodingContainer {
        decoder(key).unkeyedContainer()
    }

    func superDecoder() -> any Decoder { decoder(PathStep.key("super")) }

    func superDecoder(forKey key: Key) -> any Decoder { decoder(key) }
}

/// An array with one element.
private struct Elements: UnkeyedDecodingContainer {
    let recorder: SchemaRecorder
    let codingPath: [any CodingKey]
    var count: Int? { 1 }
    private(set) var currentIndex = 0
    var isAtEnd: Bool { currentIndex > 0 }

    func decodeNil() -> Bool { false }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try next().decode(type)
    }

    private mutating func next() -> SchemaDecoder {
        defer { currentIndex += 1 }
        return SchemaDecoder(
            recorder: recorder,
            codingPath: codingPath + [PathStep.index(currentIndex)]
        )
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) -> KeyedDecodingContainer<NestedKey> {
        next().container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedDecodingContainer {
        next().unkeyedContainer()
    }

    mutating func superDecoder() -> any Decoder { next() }
}
