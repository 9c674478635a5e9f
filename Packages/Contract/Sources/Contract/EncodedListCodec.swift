public import JSON

/// A list that stays in its bytes. What `Codec` refuses is refused here, with the same errors, and
/// what it reads is kept in the form that it writes.
public enum EncodedListCodec<Codec: ListCodec>: ModelCodec {
    /// Checks the list, and writes it anew; one bad element makes the whole payload invalid.
    public static func read(_ value: JSONValue) throws(JSONError) -> EncodedList<Codec> {
        let array = try value.object().required(Codec.key).array()
        var writer = JSONWriter()
        try writer.object { writer throws(JSONError) in
            writer.key(Codec.key)
            try writer.array { writer throws(JSONError) in try copy(array, to: &writer) }
        }
        return EncodedList(bytes: JSONFragment(writer).bytes, count: array.count)
    }

    /// Reads a large list chunk by chunk, where it can be cut.
    public static func decode(
        _ bytes: [UInt8],
        limits: JSONLimits
    ) throws(JSONError) -> EncodedList<Codec> {
        let list = decode(bytes, limits: limits, chunkLength: ListChunks.usualLength)
        if let list { return list }
        return try read(JSONDocument(received: bytes, limits: limits).root)
    }

    static func copy(_ array: JSONArray, to writer: inout JSONWriter) throws(JSONError) {
        try array.forEachElement { element throws(JSONError) in
            try Codec.Element.copy(element, to: &writer)
        }
    }

    /// Writes the elements as they are.
    public static func write(_ list: EncodedList<Codec>, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.key(Codec.key)
            writer.splice(list.array)
        }
    }

    /// The bytes as they are.
    public static func encode(_ list: EncodedList<Codec>) -> [UInt8] { list.bytes }

    /// Raised when a codec writes something else than before: then older bytes are read again.
    private static var version: String { "1" }

    /// The version of the form, and how many elements there are.
    public static func validationStamp(of list: EncodedList<Codec>) -> String? {
        "\(version):\(Codec.key):\(list.count)"
    }

    /// The list of bytes that were kept: they were checked before, and the store tells whether they
    /// are still the same.
    public static func restore(_ bytes: [UInt8], validationStamp: String) -> EncodedList<Codec>? {
        let prefix = "\(version):\(Codec.key):"
        guard validationStamp.hasPrefix(prefix),
            let count = Int(validationStamp.dropFirst(prefix.count)), count >= 0,
            bytes.count >= Codec.key.utf8CodeUnitCount + "{'':[]}".utf8.count
        else { return nil }
        return EncodedList(bytes: bytes, count: count)
    }
}
