/// An object within a parsed text; its members in the order of the text.
public struct JSONObject: Sendable, Sequence {
    /// The object as a value.
    public let value: JSONValue

    /// The value of `key`, the first where there are several; nil when absent.
    public subscript(key: StaticString) -> JSONValue? {
        let wanted = UnsafeBufferPointer(start: key.utf8Start, count: key.utf8CodeUnitCount)
        return first { $0.elementsEqual(wanted) }
    }

    /// The value of `key`, the first where there are several; nil when absent.
    public func member(named key: String) -> JSONValue? {
        first { $0.elementsEqual(key.utf8) }
    }

    /// The value of `key`, which may be null; throws `mismatch` with its path when absent.
    public func required(_ key: StaticString) throws(JSONError) -> JSONValue {
        if let found = self[key] { return found }
        let path = value.path
        throw .mismatch(
            path: path.isEmpty ? "\(key)" : "\(path).\(key)",
            expected: "there, but it is missing"
        )
    }

    /// The value of `key`; nil when it is absent or null.
    public func optional(_ key: StaticString) -> JSONValue? {
        guard let found = self[key], !found.isNull else { return nil }
        return found
    }

    /// How many members there are, up to 16,777,215.
    public var count: Int { value.document.word(at: value.index).containerCount }

    /// Whether a key stands here more than once.
    public var hasDuplicateKeys: Bool {
        var seen: Set<String> = []
        return contains { !seen.insert($0.key).inserted }
    }

    private func first(where matches: (UnsafeBufferPointer<UInt8>) -> Bool) -> JSONValue? {
        let document = value.document
        let end = document.word(at: value.index).containerEnd - 1
        var index = value.index + 1
        while index < end {
            if matches(document.utf8(at: index)) {
                return JSONValue(document: document, index: index + 1)
            }
            index = document.indexAfterValue(at: index + 1)
        }
        return nil
    }

    /// The members in the order of the text.
    public func makeIterator() -> Iterator {
        let end = value.document.word(at: value.index).containerEnd - 1
        return Iterator(document: value.document, index: value.index + 1, end: end)
    }

    /// Walks the members.
    public struct Iterator: IteratorProtocol {
        let document: JSONDocument
        var index: Int
        let end: Int

        /// The next member; nil past the last.
        public mutating func next() -> (key: String, value: JSONValue)? {
            guard index < end else { return nil }
            let key = String(decoding: document.utf8(at: index), as: UTF8.self)
            let value = JSONValue(document: document, index: index + 1)
            index = document.indexAfterValue(at: index + 1)
            return (key, value)
        }
    }
}
