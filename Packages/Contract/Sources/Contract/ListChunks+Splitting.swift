import JSON

extension ListChunks {
    /// An object within an element may end like an element; so many such places are tried.
    private static var mostGuesses: Int { 32 }

    /// The index behind the bracket, where the list is the object's first member.
    static func startOfElements(in bytes: [UInt8], _ key: StaticString) -> Int? {
        var index = 0
        for token in ["{", "\"\(key)\"", ":", "["] {
            while index < bytes.count, JSONSpace.contains(bytes[index]) { index += 1 }
            guard bytes[index...].starts(with: token.utf8) else { return nil }
            index += token.utf8.count
        }
        return index
    }

    /// The elements from `position` to a comma between two.
    func chunk(
        from position: Int,
        before end: Int
    ) throws(JSONError) -> (array: JSONArray, comma: Int) {
        var cut = position + length
        for _ in 0..<Self.mostGuesses {
            guard let comma = lastEnd(in: position..<cut) else { break }
            if let array = try? array(of: position..<comma) { return (array, comma) }
            cut = comma
        }
        throw .notChunkable
    }

    /// The last comma that follows the end of an object.
    private func lastEnd(in range: Range<Int>) -> Int? {
        range.last { index in
            guard bytes[index] == UInt8(ascii: ",") else { return false }
            let before = bytes[range.lowerBound..<index].last { !JSONSpace.contains($0) }
            return before == UInt8(ascii: "}")
        }
    }

    func array(of range: Range<Int>) throws(JSONError) -> JSONArray {
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
