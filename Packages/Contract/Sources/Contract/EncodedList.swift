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

    /// Reads all elements.
    public func models() throws(JSONError) -> [Codec.Element.Model] {
        try Codec.decode(bytes, limits: limits)
    }

    /// The elements as they stand there; `Codec.Element` reads each.
    public func elements() throws(JSONError) -> [JSONValue] {
        Array(
            try JSONDocument(parsing: bytes, limits: limits).root.object()
                .required(Codec.key).array()
        )
    }

    /// What was taken once is not too long later.
    private var limits: JSONLimits {
        JSONLimits(maximumBytes: max(bytes.count, JSONLimits().maximumBytes))
    }
}
