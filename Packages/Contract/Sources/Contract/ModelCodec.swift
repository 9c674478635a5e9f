public import JSON

/// The one place where a model meets its JSON: read and written by client, cache and backend alike.
public protocol ModelCodec: SendableMetatype {
    /// What is read and written.
    associatedtype Model: Sendable, Equatable

    /// Reads a model; throws `JSONError.mismatch` that names the path of what is wrong.
    static func read(_ value: JSONValue) throws(JSONError) -> Model

    /// Writes a model as `read` reads it.
    static func write(_ model: Model, to writer: inout JSONWriter)

    /// Writes what `read` would read as `write` would write it, and throws what `read` would throw.
    static func copy(_ value: JSONValue, to writer: inout JSONWriter) throws(JSONError)

    /// Reads a model from the bytes of a whole payload.
    static func decode(_ bytes: [UInt8], limits: JSONLimits) throws(JSONError) -> Model

    /// Writes a model as the bytes of a whole payload.
    static func encode(_ model: Model) -> [UInt8]

    /// What to keep beside the bytes of `model`, so that ``restore(_:validationStamp:)`` takes them back; nil
    /// where they are read again.
    static func validationStamp(of model: Model) -> String?

    /// The model of bytes that were kept beside `validationStamp`, and have not changed since; nil where they
    /// must be read.
    static func restore(_ bytes: [UInt8], validationStamp: String) -> Model?
}

extension ModelCodec {
    /// Reads the model, and writes it.
    public static func copy(_ value: JSONValue, to writer: inout JSONWriter) throws(JSONError) {
        write(try read(value), to: &writer)
    }

    /// Reads a model from the bytes of a whole payload, within the usual limits.
    @inlinable
    public static func decode(_ bytes: [UInt8]) throws(JSONError) -> Model {
        try decode(bytes, limits: JSONLimits())
    }

    /// Reads the model from what the parser makes of the bytes.
    @inlinable
    public static func decode(_ bytes: [UInt8], limits: JSONLimits) throws(JSONError) -> Model {
        try read(JSONDocument(received: bytes, limits: limits).root)
    }

    /// Writes the model, and nothing around it.
    public static func encode(_ model: Model) -> [UInt8] {
        JSONFragment { write(model, to: &$0) }.bytes
    }

    /// Nothing: the bytes are read again.
    public static func validationStamp(of model: Model) -> String? { nil }

    /// Nothing: the bytes are read again.
    public static func restore(_ bytes: [UInt8], validationStamp: String) -> Model? { nil }
}
