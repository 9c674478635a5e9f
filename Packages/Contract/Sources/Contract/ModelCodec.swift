public import JSON

/// Reads and writes the JSON of a model. The client, the cache, and the backend all use it.
public protocol ModelCodec: SendableMetatype {
    /// The model.
    associatedtype Model: Sendable, Equatable

    /// The JSON Schema of the values that `read` accepts. It may accept values that `read` rejects
    /// because a schema cannot describe them, such as February 30. It never rejects a value that
    /// `read` accepts.
    static var schema: JSONSchema { get }

    /// Reads a model. Throws a `JSONError.mismatch` with the path of an invalid value.
    static func read(_ value: JSONValue) throws(JSONError) -> Model

    /// Writes a model so that `read` returns an equal one.
    static func write(_ model: Model, to writer: inout JSONWriter)

    /// Reads a model and writes it, like `read` followed by `write`, with the same errors.
    static func copy(_ value: JSONValue, to writer: inout JSONWriter) throws(JSONError)

    /// Reads a model from the bytes of a complete payload.
    static func decode(_ bytes: [UInt8], limits: JSONLimits) throws(JSONError) -> Model

    /// Writes a model as the bytes of a complete payload.
    static func encode(_ model: Model) -> [UInt8]

    /// Text to store with the bytes of `model`, so that ``restore(_:validationStamp:)`` can return
    /// the model without decoding the bytes; nil if they must be decoded.
    static func validationStamp(of model: Model) -> String?

    /// The model with the stored `bytes`, for which `validationStamp` was stored, too; nil if they
    /// must be decoded. The caller guarantees that the bytes have not changed since.
    static func restore(_ bytes: [UInt8], validationStamp: String) -> Model?
}

extension ModelCodec {
    /// Reads the model and writes it.
    public static func copy(_ value: JSONValue, to writer: inout JSONWriter) throws(JSONError) {
        write(try read(value), to: &writer)
    }

    /// Reads a model from the bytes of a complete payload, with the default limits.
    @inlinable
    public static func decode(_ bytes: [UInt8]) throws(JSONError) -> Model {
        try decode(bytes, limits: JSONLimits())
    }

    /// Parses the bytes and reads the model.
    @inlinable
    public static func decode(_ bytes: [UInt8], limits: JSONLimits) throws(JSONError) -> Model {
        try read(JSONDocument(received: bytes, limits: limits).root)
    }

    /// Writes the model.
    public static func encode(_ model: Model) -> [UInt8] {
        JSONFragment { write(model, to: &$0) }.bytes
    }

    /// Returns nil: stored bytes are decoded again.
    public static func validationStamp(of model: Model) -> String? { nil }

    /// Returns nil: stored bytes are decoded again.
    public static func restore(_ bytes: [UInt8], validationStamp: String) -> Model? { nil }
}
