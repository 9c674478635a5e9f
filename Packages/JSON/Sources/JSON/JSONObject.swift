/// An object in a parsed document: a sequence of its members, in the order of the text.
public struct JSONObject: Sendable, Sequence {
    /// The object as a value.
    public let value: JSONValue

    @inlinable
    init(value: JSONValue) { self.value = value }

    /// The value of `key`, or the first one if the key occurs more than once; nil if it is absent.
    public subscript(key: StaticString) -> JSONValue? {
        first(UnsafeBufferPointer(start: key.utf8Start, count: key.utf8CodeUnitCount))
    }

    /// The value of `key`, or the first one if the key occurs more than once; nil if it is absent.
    public func member(named key: String) -> JSONValue? {
        var key = key
        return key.withUTF8 { first($0) }
    }

    /// The value of `key`, which may be null. Throws `mismatch` if it is absent.
    public func required(_ key: StaticString) throws(JSONError) -> JSONValue {
        guard let found = self[key] else { throw missing(key) }
        return found
    }

    /// The value of `key`, which may be null. Throws `mismatch` if it is absent.
    public func required(named key: String) throws(JSONError) -> JSONValue {
        guard let found = member(named: key) else { throw missing(key) }
        return found
    }

    /// The value of `key`; nil if it is absent or null.
    public func optional(_ key: StaticString) -> JSONValue? {
        guard let found = self[key], !found.isNull else { return nil }
        return found
    }

    /// The value of `key`; nil if it is absent or null.
    public func optional(named key: String) -> JSONValue? {
        guard let found = member(named: key), !found.isNull else { return nil }
        return found
    }

    /// The number of members.
    public var count: Int {
        let stored = value.document.word(at: value.index).containerCount
        // The count on the tape has only 24 bits. Beyond that, count the members.
        return stored < TapeWord.saturatedCount ? stored : reduce(into: 0) { sum, _ in sum += 1 }
    }

    /// Whether a key occurs more than once. Keys are equal if their bytes are.
    public var hasDuplicateKeys: Bool {
        let document = value.document
        // For a few keys, comparing all pairs is faster than hashing.
        if document.word(at: value.index).containerCount > 16 {
            var seen: Set<[UInt8]> = []
            return hasKey { key in !seen.insert(Array(document.utf8(at: key))).inserted }
        }
        return hasKey { key in
            let others = document.indexAfterValue(at: key + 1)..<endIndex
            return document.index(ofKey: document.utf8(at: key), in: others) != nil
        }
    }

    /// Whether `isWanted` returns true for the tape index of a key.
    private func hasKey(where isWanted: (Int) -> Bool) -> Bool {
        var index = firstIndex
        while index < endIndex {
            if isWanted(index) { return true }
            index = value.document.indexAfterValue(at: index + 1)
        }
        return false
    }

    private func first(_ key: UnsafeBufferPointer<UInt8>) -> JSONValue? {
        let document = value.document
        guard let index = document.index(ofKey: key, in: firstIndex..<endIndex) else { return nil }
        return JSONValue(document: document, index: index + 1)
    }

    @usableFromInline
    func missing(_ key: StaticString) -> JSONError { missing("\(key)") }

    private func missing(_ key: String) -> JSONError {
        .mismatch(path: JSONPath(of: value, missing: .key(key)), expected: "present")
    }

    /// The tape indices of the first key and of the end of the object.
    @inlinable var firstIndex: Int { value.index + 1 }
    @inlinable var endIndex: Int { value.document.word(at: value.index).containerEnd - 1 }

    /// The members, in the order of the text.
    public func makeIterator() -> Iterator {
        Iterator(document: value.document, index: firstIndex, end: endIndex)
    }

    /// Iterates over the members.
    public struct Iterator: IteratorProtocol {
        let document: JSONDocument
        var index: Int
        let end: Int

        /// The next member; nil after the last one.
        public mutating func next() -> (key: String, value: JSONValue)? {
            guard index < end else { return nil }
            let key = document.string(at: index)
            let value = JSONValue(document: document, index: index + 1)
            index = document.indexAfterValue(at: index + 1)
            return (key, value)
        }
    }
}
