import JSON

extension EncodedListCodec {
    /// Reads a list in chunks. Returns nil if the text cannot be split into chunks or is invalid;
    /// then the caller reads it as a whole, which finds the exact error.
    static func decode(
        _ bytes: [UInt8],
        limits: JSONLimits,
        chunkLength: Int
    ) -> EncodedList<Codec>? {
        guard var chunks = ListChunks(of: bytes, Codec.key, limits: limits, length: chunkLength)
        else { return nil }
        var text = CanonicalText(
            source: bytes,
            head: Array("{\"\(Codec.key)\":[".utf8),
            isHeadCanonical: chunks.start == "{'':[".utf8.count + Codec.key.utf8CodeUnitCount
        )
        var count = 0
        do {
            while let (array, range) = try chunks.next() {
                var writer = JSONWriter(reservingCapacity: range.count + range.count / 8)
                try writer.array { writer throws(JSONError) in try copy(array, to: &writer) }
                text.append(JSONFragment(writer).bytes.dropFirst().dropLast(), of: range)
                count += array.count
            }
        } catch {
            return nil
        }
        return EncodedList(bytes: text.finish(with: Array("]}".utf8)), count: count)
    }
}
