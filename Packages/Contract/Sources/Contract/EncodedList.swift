public import JSON

/// A list as the bytes of its payload, which are validated once and passed on unchanged.
public struct EncodedList<Codec: ListCodec>: Sendable, Equatable {
    /// The complete payload, as `Codec` writes it.
    public let bytes: [UInt8]
    /// The number of elements.
    public let count: Int

    init(bytes: [UInt8], count: Int) {
        (self.bytes, self.count) = (bytes, count)
    }

    /// Encodes `models`.
    public init(_ models: [Codec.Element.Model]) {
        self.init(bytes: Codec.encode(models), count: models.count)
    }

    /// The JSON array of the elements, which is the payload without the braces and the key.
    public var array: ArraySlice<UInt8> {
        bytes[(Codec.key.utf8CodeUnitCount + "{'':".utf8.count)..<(bytes.count - 1)]
    }

    /// Decodes all elements.
    public func models() throws(JSONError) -> [Codec.Element.Model] {
        try Codec.decode(bytes, limits: limits)
    }

    /// The elements as JSON; `Codec.Element` can read each of them.
    public func elements() throws(JSONError) -> [JSONValue] {
        Array(
            try JSONDocument(parsing: bytes, limits: limits).root.object()
                .required(Codec.key).array()
        )
    }

    /// These bytes have been accepted before, so their size is not limited again.
    private var limits: JSONLimits {
        JSONLimits(maximumBytes: max(bytes.count, JSONLimits().maximumBytes))
    }
}
