public import JSON

/// The elements of a list as arrays of some of them, cut from its text.
///
/// What the parser makes of a text is larger than the text, so a list of megabytes is read with a
/// fraction of the memory. Where to cut is a guess, and a wrong one does no harm: if each chunk is a
/// list of values, and what is around them is an object, then so is the whole, and JSON can be read
/// in one way only.
@usableFromInline
struct ListChunks {
    let bytes: [UInt8]
    /// The index of the first element.
    let start: Int
    let limits: JSONLimits
    /// About how long a chunk is.
    let length: Int
    /// The index behind the last element.
    private let end: Int
    /// The index of the first element that was not given; nil behind the last chunk.
    private var position: Int?

    /// Large enough that a parse is worth its start, small enough to stay near the processor.
    @usableFromInline static var usualLength: Int { 1 << 20 }

    /// Nil where the text is not longer than a chunk, or is no object of which the first member is
    /// a list of `key`.
    @usableFromInline
    init?(of bytes: [UInt8], _ key: StaticString, limits: JSONLimits, length: Int) {
        guard bytes.count > length, bytes.count <= limits.maximumBytes,
            let start = Self.startOfElements(in: bytes, key),
            let end = bytes.lastIndex(of: UInt8(ascii: "]")), end >= start
        else { return nil }
        (self.bytes, self.start, self.end, position) = (bytes, start, end, start)
        (self.limits, self.length) = (limits, length)
        // Without its elements it must be an object still.
        let frame = Array(bytes[..<start] + bytes[end...])
        guard (try? JSONDocument(parsing: frame, limits: limits).root.object()) != nil
        else { return nil }
    }

    /// The next chunk and its place in the text; nil behind the last. Throws where the text is none
    /// of such a list, or cannot be cut.
    @usableFromInline
    mutating func next() throws(JSONError) -> (array: JSONArray, range: Range<Int>)? {
        guard let position else { return nil }
        if end - position > length {
            let (array, comma) = try chunk(from: position, before: end)
            self.position = comma + 1
            return (array, position..<comma)
        }
        let rest = try array(of: position..<end)
        // Behind a comma there must be something.
        guard position == start || rest.count > 0 else { throw .notChunkable }
        self.position = nil
        return (rest, position..<end)
    }

    /// About how many elements there are, if they are as long as the `count` in `range`.
    @usableFromInline
    func estimatedCount(from count: Int, in range: Range<Int>) -> Int {
        // A sixteenth more, so that it is seldom too few.
        Int(Double(count) * Double(end - start) / Double(max(1, range.count)) * 17 / 16)
    }
}

extension JSONError {
    /// Told to nobody: the text is read whole then.
    static var notChunkable: JSONError { .malformed(reason: "it cannot be cut") }
}
