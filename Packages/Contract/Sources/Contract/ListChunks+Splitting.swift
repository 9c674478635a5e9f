import JSON

extension ListChunks {
    /// The maximum number of split positions to try. A comma after an object may be inside an
    /// element.
    private static var maximumAttempts: Int { 32 }

    /// The index after the bracket of the list, if the list is the first member of the object.
    static func startOfElements(in bytes: [UInt8], _ key: StaticString) -> Int? {
        var index = 0
        for token in ["{", "\"\(key)\"", ":", "["] {
            while index < bytes.count, JSONWhitespace.contains(bytes[index]) { index += 1 }
            guard bytes[index...].starts(with: token.utf8) else { return nil }
            index += token.utf8.count
        }
        return index
    }

    /// Parses about `length` bytes from `position`, up to a comma between two elements.
    func chunk(from position: Int) throws(JSONError) -> (array: JSONArray, comma: Int) {
        var end = position + length
        for _ in 0..<Self.maximumAttempts {
            guard let comma = lastCommaAfterObject(in: position..<end) else { break }
            if let array = array(of: position..<comma) { return (array, comma) }
            end = comma
        }
        throw .notChunkable
    }

    private func lastCommaAfterObject(in range: Range<Int>) -> Int? {
        range.last { index in
            guard bytes[index] == UInt8(ascii: ",") else { return false }
            let before = bytes[range.lowerBound..<index].last { !JSONWhitespace.contains($0) }
            return before == UInt8(ascii: "}")
        }
    }

    /// Parses the elements in `range`; nil if they are not valid.
    func array(of range: Range<Int>) -> JSONArray? {
        var text: [UInt8] = []
        text.reserveCapacity(range.count + 64)
        text.append(UInt8(ascii: "["))
        text += bytes[range]
        text.append(UInt8(ascii: "]"))
        var limits = limits
        // The object that contains the list is one level.
        limits.maximumDepth -= 1
        return try? JSONDocument(validating: text, limits: limits)?.root.array()
    }
}

/// The white space that JSON allows between tokens (RFC 8259, section 2).
enum JSONWhitespace {
    static func contains(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }
}
