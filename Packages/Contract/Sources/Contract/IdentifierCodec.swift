public import Domain
public import JSON

/// The JSON of an identifier: a UUID in either case, written in lowercase.
public enum IdentifierCodec: ModelCodec {
    /// Strings in the 8-4-4-4-12 form.
    public static let schema = JSONSchema.string(
        pattern: "^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$"
    )

    /// Reads an id. Throws a `mismatch` with the path of an invalid value.
    ///
    /// Inlined to avoid retaining the document for the call.
    @inline(__always)
    public static func read(_ value: JSONValue) throws(JSONError) -> Identifier {
        guard let id = try value.withUTF8({ Identifier(utf8: $0) }) else {
            throw value.mismatch(expected: "a UUID")
        }
        return id
    }

    /// Writes an id.
    public static func write(_ id: Identifier, to writer: inout JSONWriter) {
        writer.string(id.description)
    }

    /// Validates and writes an id; copies the text if it is already in lowercase.
    public static func copy(_ value: JSONValue, to writer: inout JSONWriter) throws(JSONError) {
        let id = try read(value)
        let isCanonical = try value.withUTF8 { text in !text.contains { $0 < 0x61 && $0 >= 0x41 } }
        if isCanonical { try writer.string(value) } else { write(id, to: &writer) }
    }
}
