import JSON

extension EncodedListCodec {
    /// Large enough that a parse is worth its start, small enough to stay near the processor.
    static var pieceLength: Int { 1 << 20 }

    /// Reads a list cut into pieces; nil where it has no such form, or where anything is wrong: who
    /// reads it whole finds out what.
    ///
    /// What the parser makes of a text is larger than the text, so a list of megabytes is read with
    /// a fraction of the memory. Where to cut is a guess, and a wrong one does no harm: if each
    /// piece is a list of values, and what is around them is an object, then so is the whole, and
    /// JSON can be read in one way only.
    static func decode(
        _ bytes: [UInt8],
        limits: JSONLimits,
        pieceLength: Int
    ) -> EncodedList<Codec>? {
        guard bytes.count > pieceLength, bytes.count <= limits.maximumBytes,
            let start = startOfElements(in: bytes)
        else { return nil }
        var text = CanonicalText(
            source: bytes,
            head: Array("{\"\(Codec.key)\":[".utf8),
            isHeadCanonical: start == "{'':[".utf8.count + Codec.key.utf8CodeUnitCount
        )
        var count = 0
        let pieces = ListPieces(bytes: bytes, start: start, limits: limits, length: pieceLength)
        do throws(JSONError) {
            try pieces.forEach { piece, range throws(JSONError) in
                var writer = JSONWriter(reservingCapacity: range.count + range.count / 8)
                try writer.array { writer throws(JSONError) in try copy(piece, to: &writer) }
                text.append(JSONFragment(writer).bytes.dropFirst().dropLast(), of: range)
                count += piece.count
            }
        } catch {
            return nil
        }
        return EncodedList(bytes: text.finish(with: Array("]}".utf8)), count: count)
    }

    /// The index behind the bracket, where the list is the object's first member.
    private static func startOfElements(in bytes: [UInt8]) -> Int? {
        var index = 0
        for token in ["{", "\"\(Codec.key)\"", ":", "["] {
            while index < bytes.count, JSONSpace.contains(bytes[index]) { index += 1 }
            guard bytes[index...].starts(with: token.utf8) else { return nil }
            index += token.utf8.count
        }
        return index
    }
}
