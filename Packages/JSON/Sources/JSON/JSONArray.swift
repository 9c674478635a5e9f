/// An array within a parsed text.
public struct JSONArray: Sendable, Sequence {
    /// The array as a value.
    public let value: JSONValue

    /// The number of elements.
    public var count: Int {
        let stored = value.document.word(at: value.index).containerCount
        // The tape counts to 24 bits and then stops; beyond, only walking tells.
        return stored < TapeWord.saturatedCount ? stored : reduce(into: 0) { sum, _ in sum += 1 }
    }

    /// No more than ``count``, without walking.
    public var underestimatedCount: Int {
        value.document.word(at: value.index).containerCount
    }

    /// The elements in order.
    public func makeIterator() -> Iterator {
        let end = value.document.word(at: value.index).containerEnd - 1
        return Iterator(document: value.document, index: value.index + 1, end: end)
    }

    /// Walks the elements.
    public struct Iterator: IteratorProtocol {
        let document: JSONDocument
        var index: Int
        let end: Int

        /// The next element; nil past the last.
        public mutating func next() -> JSONValue? {
            guard index < end else { return nil }
            defer { index = document.indexAfterValue(at: index) }
            return JSONValue(document: document, index: index)
        }
    }
}
