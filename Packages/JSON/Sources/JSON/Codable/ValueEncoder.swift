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

    func encode(_ value: Bool) { context.begin(.single).writer.bool(value) }

    func encode(_ value: String) { context.begin(.single).writer.string(value) }

    func encode(_ value: Double) throws {
        guard value.isFinite else { throw context.notFinite(at: nil) }
        context.begin(.single).writer.number(value)
    }

    func encode(_ value: Float) throws {
        guard value.isFinite else { throw context.notFinite(at: nil) }
        context.begin(.single).writer.number(finite: value)
    }

    // Satisfies the requirements for all integer types.
    func encode<Integer: FixedWidthInteger & Encodable>(_ value: Integer) {
        context.begin(.single).writer.integer(value)
    }

    func encode<Value: Encodable>(_ value: Value) throws {
        let used = context.begin(.single)
        do { try used.encode(value, at: nil) } catch {
            used.beginAgain()
            throw error
        }
    }
}
