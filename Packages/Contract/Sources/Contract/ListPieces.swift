import JSON

/// The elements of a list as arrays of some of them, cut from its text.
struct ListPieces {
    let bytes: [UInt8]
    /// The index of the first element.
    let start: Int
    let limits: JSONLimits
    /// About how long a piece is.
    let length: Int

    /// An object within an element may end like an element; so many such places are tried.
    private static let mostGuesses = 32

    /// Gives the pieces with their places in the text, the last after a look at what follows the list. Throws where the text is
    /// none of such a list, or cannot be cut.
    func forEach(
        _ body: (JSONArray, Range<Int>) throws(JSONError) -> Void
    ) throws(JSONError) {
        guard let end = bytes.lastIndex(of: UInt8(ascii: "]")), end >= start else {
            throw .noPieces
        }
        try checkFrame(around: end)
        var position = start
        while end - position > length {
            let (piece, next) = try piece(from: position, before: end)
            try body(piece, position..<(next - 1))
            position = next
        }
        let rest = try array(of: position..<end)
        // Behind a comma there must be something.
        guard position == start || rest.count > 0 else { throw .noPieces }
        try body(rest, position..<end)
    }

    /// Without its elements it must be an object still.
    private func checkFrame(around end: Int) throws(JSONError) {
        let frame = Array(bytes[..<start] + bytes[end...])
        _ = try JSONDocument(parsing: frame, limits: limits).root.object()
    }

    private func piece(
        from position: Int,
        before end: Int
    ) throws(JSONError) -> (array: JSONArray, next: Int) {
        var cut = position + length
        for _ in 0..<Self.mostGuesses {
            guard let comma = lastEnd(in: position..<cut) else { break }
            if let array = try? array(of: position..<comma) { return (array, comma + 1) }
            cut = comma
        }
        throw .noPieces
    }

    /// The last comma that follows the end of an object.
    private func lastEnd(in range: Range<Int>) -> Int? {
        range.last { index in
            guard bytes[index] == UInt8(ascii: ",") else { return false }
            let before = bytes[range.lowerBound..<index].last { !JSONSpace.contains($0) }
            return before == UInt8(ascii: "}")
        }
    }

    private func array(of range: Range<Int>) throws(JSONError) -> JSONArray {
        var text: [UInt8] = []
        text.reserveCapacity(range.count + 64)
        text.append(UInt8(ascii: "["))
        text += bytes[range]
        text.append(UInt8(ascii: "]"))
        var limits = limits
        // The object around the list is one level.
        limits.maximumDepth -= 1
        return try JSONDocument(parsing: text, limits: limits).root.array()
    }
}

/// The bytes that may stand between two tokens.
enum JSONSpace {
    static func contains(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }
}

extension JSONError {
    /// Told to nobody: the text is read whole then.
    fileprivate static var noPieces: JSONError { .malformed(reason: "it cannot be cut") }
}
