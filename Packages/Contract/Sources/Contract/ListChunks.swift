public import JSON

/// Splits the text of a large list into chunks, and parses them one by one.
///
/// A parsed document needs more memory than its text, so parsing in chunks saves most of the
/// memory. The split positions are guesses, and a wrong guess does no harm: if each chunk parses as
/// a sequence of values, and the text around them as an object, then the whole text is that object,
/// because JSON has an unambiguous grammar.
@usableFromInline
struct ListChunks {
    let bytes: [UInt8]
    /// The index of the first element.
    let start: Int
    let limits: JSONLimits
    /// The approximate length of a chunk, in bytes.
    let length: Int
    /// The index after the last element.
    private let end: Int
    /// The index of the next chunk; nil after the last one.
    private var position: Int?

    /// Large enough to amortize the cost of starting a parse, and small enough for the CPU's cache.
    @usableFromInline static var defaultLength: Int { 1 << 20 }

    /// Returns nil if the text is not longer than a chunk, or is not an object whose first member
    /// is a list with `key`.
    @usableFromInline
    init?(of bytes: [UInt8], _ key: StaticString, limits: JSONLimits, length: Int) {
        guard bytes.count > length, bytes.count <= limits.maximumBytes,
            let start = Self.startOfElements(in: bytes, key),
            let end = bytes.lastIndex(of: UInt8(ascii: "]")), end >= start
        else { return nil }
        (self.bytes, self.start, self.end, position) = (bytes, start, end, start)
        (self.limits, self.length) = (limits, length)
        // Without the elements, the text must still be an object.
        let enclosing = Array(bytes[..<start] + bytes[end...])
        let document = JSONDocument(validating: enclosing, limits: limits)
        guard document?.root.kind == .object else { return nil }
    }

    /// The next chunk and its range in the text; nil after the last one. Throws if the text is
    /// invalid or cannot be split.
    @usableFromInline
    mutating func next() throws(JSONError) -> (array: JSONArray, range: Range<Int>)? {
        guard let position else { return nil }
        if end - position > length {
            let (array, comma) = try chunk(from: position)
            self.position = comma + 1
            return (array, position..<comma)
        }
        // An element must follow a comma.
        guard let rest = array(of: position..<end), position == start || rest.count > 0 else {
            throw .notChunkable
        }
        self.position = nil
        return (rest, position..<end)
    }

    /// An estimate of the number of all elements, if `range` has `count` elements of average
    /// length.
    @usableFromInline
    func estimatedCount(from count: Int, in range: Range<Int>) -> Int {
        // One sixteenth more, so that the estimate is rarely too low.
        Int(Double(count) * Double(end - start) / Double(max(1, range.count)) * 17 / 16)
    }
}

extension JSONError {
    /// Never reported to a caller, because the text is then read as a whole.
    static var notChunkable: JSONError {
        .malformed(reason: "it cannot be split", position: JSONPosition())
    }
}
