/// Encodes the current value of a context.
struct ValueEncoder {
    let context: EncodingContext
}

extension ValueEncoder: Encoder {
    var codingPath: [any CodingKey] { context.path }

    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(ObjectEncoder(context: context.begin(.object)))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        ArrayEncoder(context: context.begin(.array))
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }
}

extension ValueEncoder: SingleValueEncodingContainer {
    func encodeNil() { context.begin(.single).writer.null() }

    // This method satisfies the requirements for Booleans, strings, and all types of numbers.
    func encode<Value: Scalar>(_ value: Value) throws {
        guard value.isFinite else { throw context.notFinite(at: nil) }
        value.write(to: &context.begin(.single).writer)
    }

    func encode<Value: Encodable>(_ value: Value) throws {
        let used = context.begin(.single)
        do { try used.encode(value, at: nil) } catch {
            used.beginAgain()
            throw error
        }
    }
}
