/// An array in a parsed document: a sequence of its elements.
public struct JSONArray: Sendable, Sequence {
    /// The array as a value.
    public let value: JSONValue

    @inlinable
    init(value: JSONValue) { self.value = value }

    /// The number of elements.
    public var count: Int {
        let stored = value.document.word(at: value.index).containerCount
        // The count on the tape has only 24 bits. Beyond that, count the elements.
        return stored < TapeWord.saturatedCount ? stored : reduce(into: 0) { sum, _ in sum += 1 }
    }

    /// A number of elements that is computed in constant time: ``count``, or 16,777,215 if there
    /// are more.
    public var underestimatedCount: Int {
        value.document.word(at: value.index).containerCount
    }

    /// Calls `body` for each element, in order. Faster than an iterator, because it does not retain
    /// the document for each element.
    @inlinable @inline(__always)
    public func forEachElement<E: Error>(_ body: (JSONValue) throws(E) -> Void) throws(E) {
        let end = value.document.word(at: value.index).containerEnd - 1
        var index = value.index + 1
        while index < end {
            try body(JSONValue(document: value.document, index: index))
            index = value.document.indexAfterValue(at: index)
        }
    }

    /// The elements in order.
    @inlinable
    public func makeIterator() -> Iterator {
        let end = value.document.word(at: value.index).containerEnd - 1
        return Iterator(document: value.document, index: value.index + 1, end: end)
    }

    /// Iterates over the elements.
    public struct Iterator: IteratorProtocol {
        @usableFromInline let document: JSONDocument
        @usableFromInline var index: Int
        @usableFromInline let end: Int

        @inlinable
        init(document: JSONDocument, index: Int, end: Int) {
            self.document = document
            self.index = index
            self.end = end
        }

        /// The next element; nil after the last one.
        @inlinable
        public mutating func next() -> JSONValue? {
            guard index < end else { return nil }
            defer { index = document.indexAfterValue(at: index) }
            return JSONValue(document: document, index: index)
        }
    }
}
