public import Domain
public import JSON

/// A model's identity on the wire: a UUID in either case, written in lower case.
public enum IdentifierCodec: ModelCodec {
    /// Reads an id; anything else is a `mismatch` that names its path.
    public static func read(_ value: JSONValue) throws(JSONError) -> Identifier {
        guard let id = try value.withUTF8({ Identifier(utf8: $0) }) else {
            throw value.mismatch(expected: "a UUID")
        }
        return id
    }

    /// Writes an id as `read` reads it.
    public static func write(_ id: Identifier, to writer: inout JSONWriter) {
        writer.string(id.description)
    }
}
