/// Decodes the members of an object.
struct ObjectDecoder<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let object: ValueDecoder

    var codingPath: [any CodingKey] { object.codingPath }

    var allKeys: [Key] {
        let members = JSONObject(value: object.value)
        var seen: Set<String> = []
        let names =
            members.hasDuplicateKeys
            ? members.map(\.key).filter { seen.insert($0).inserted } : members.map(\.key)
        return names.compactMap { Key(stringValue: $0) }
    }

    func contains(_ key: Key) -> Bool { index(of: key) != nil }

    func decodeNil(forKey key: Key) throws -> Bool { try value(key).isNull }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type,
        forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try decoder(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try decoder(key).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { try decoder(PathStep.key("super")) }

    func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(key) }

    private func index(of key: some CodingKey) -> Int? {
        let name = key.stringValue
        return object.context.index(ofKey: name, inObjectAt: object.index, depth: object.depth)
    }

    private func required(_ key: some CodingKey) throws(JSONError) -> Int {
        if let index = index(of: key) { return index }
        throw .mismatch(
            path: JSONPath(of: object.value, missing: .key(key.stringValue)),
            expected: "present"
        )
    }

    /// The value of `key`, which may be null. Throws `mismatch` if it is absent.
    @inline(__always)
    private func value(_ key: Key) throws(JSONError) -> JSONValue {
        JSONValue(document: object.context.document, index: try required(key))
    }

    /// The value of `key`; nil if it is absent or null.
    @inline(__always)
    private func present(_ key: Key) -> JSONValue? {
        guard let index = index(of: key) else { return nil }
        let value = JSONValue(document: object.context.document, index: index)
        return value.isNull ? nil : value
    }

    private func decoder(_ key: some CodingKey) throws(JSONError) -> ValueDecoder {
        decoder(at: try required(key))
    }

    private func decoder(at index: Int) -> ValueDecoder {
        ValueDecoder(context: object.context, index: index, depth: object.depth + 1)
    }
}

extension ObjectDecoder {
    func decode<Value: Scalar>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try Value(decoding: value(key))
    }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try decoder(key).decode(type)
    }

    // The default implementations would look up the key three times.

    func decodeIfPresent<Value: Scalar>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        try present(key).map { try Value(decoding: $0) }
    }

    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        try present(key).map { try decoder(at: $0.index).decode(type) }
    }
}
