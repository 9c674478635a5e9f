public import JSON

/// The one place where a model meets its JSON: read and written by client, cache and backend alike.
public protocol ModelCodec: SendableMetatype {
    /// What is read and written.
    associatedtype Model: Sendable, Equatable

    /// Reads a model; throws `JSONError.mismatch` that names the path of what is wrong.
    static func read(_ value: JSONValue) throws(JSONError) -> Model

    /// Writes a model as `read` reads it.
    static func write(_ model: Model, to writer: inout JSONWriter)
}

extension ModelCodec {
    /// Reads a model from the bytes of a whole payload.
    @inlinable
    public static func decode(
        _ bytes: [UInt8],
        limits: JSONLimits = JSONLimits()
    ) throws(JSONError) -> Model {
        try read(JSONDocument(parsing: bytes, limits: limits).root)
    }

    /// Writes a model as the bytes of a whole payload.
    public static func encode(_ model: Model) -> [UInt8] {
        var writer = JSONWriter()
        write(model, to: &writer)
        return writer.bytes
    }
}
