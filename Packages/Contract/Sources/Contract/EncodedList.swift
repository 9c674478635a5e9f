public import JSON

/// A list in the bytes of its payload: checked once, and passed on without being written again.
public struct EncodedList<Codec: ListCodec>: Sendable, Equatable {
    /// The whole payload, as `Codec` writes it.
    public let bytes: [UInt8]
    /// How many elements there are.
    public let count: Int

    init(bytes: [UInt8], count: Int) {
        (self.bytes, self.count) = (bytes, count)
    }

    /// Encodes `models`.
    public init(_ models: [Codec.Element.Model]) {
        self.init(bytes: Codec.encode(models), count: models.count)
    }

    /// The JSON array of the elements. Around it there are only the braces and the key.
    public var array: ArraySlice<UInt8> {
        bytes[(Codec.key.utf8CodeUnitCount + "{'':".utf8.count)..<(bytes.count - 1)]
    }

    /// Reads the elements, or those in `range`.
    public func models(in range: Range<Int>? = nil) throws(JSONError) -> [Codec.Element.Model] {
        var models: [Codec.Element.Model] = []
        var position = 0
        for element in try elements() {
            if let range, position >= range.upperBound { break }
            if range?.contains(position) != false { models.append(try Codec.Element.read(element)) }
            position += 1
        }
        return models
    }

    /// Reads the first element that `matches`, and no other; nil when there is none.
    public func first(
        where matches: (JSONObject) throws(JSONError) -> Bool
    ) throws(JSONError) -> Codec.Element.Model? {
        for element in try elements() where try matches(element.object()) {
            return try Codec.Element.read(element)
        }
        return nil
    }

    private func elements() throws(JSONError) -> JSONArray {
        let limits = JSONLimits(maximumBytes: max(bytes.count, JSONLimits().maximumBytes))
        return try JSONDocument(parsing: bytes, limits: limits).root.object()
            .required(Codec.key).array()
    }
}
