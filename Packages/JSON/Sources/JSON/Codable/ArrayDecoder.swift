/// Decodes the elements of an array, in order. An element that cannot be decoded can be decoded as a
/// different type.
struct ArrayDecoder: UnkeyedDecodingContainer {
    private let array: ValueDecoder
    private let end: Int
    private var next: Int
    private(set) var currentIndex = 0

    init(of array: ValueDecoder) {
        self.array = array
        end = array.value.word.containerEnd - 1
        next = array.index + 1
    }

    var codingPath: [any CodingKey] { array.codingPath }

    var count: Int? { JSONArray(value: array.value).count }

    var isAtEnd: Bool { next >= end }

    mutating func decodeNil() throws -> Bool {
        guard try element().decodeNil() else { return false }
        advance()
        return true
    }

    mutating func decode<Value: Scalar>(_ type: Value.Type) throws -> Value {
        try read { try $0.decode(type) }
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try read { try $0.decode(type) }
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try read { try $0.container(keyedBy: type) }
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try read { try $0.unkeyedContainer() }
    }

    mutating func superDecoder() throws -> any Decoder { try read { $0 } }

    private mutating func read<Result>(
        _ body: (ValueDecoder) throws -> Result
    ) throws -> Result {
        let result = try body(element())
        advance()
        return result
    }

    private func element() throws(JSONError) -> ValueDecoder {
        guard !isAtEnd else {
            throw .mismatch(
                path: JSONPath(of: array.value, missing: .index(currentIndex)),
                expected: "present"
            )
        }
        return ValueDecoder(context: array.context, index: next, depth: array.depth + 1)
    }

    private mutating func advance() {
        next = array.context.document.indexAfterValue(at: next)
        currentIndex += 1
    }
}
