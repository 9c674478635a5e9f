public import Domain
public import JSON

/// A model's identity on the wire: a UUID in either case, written in lower case.
public enum IdentifierCodec: ModelCodec {
    /// Reads an id; anything else is a `mismatch` that names its path.
    ///
    /// Inlined, so that the document is not retained for the call.
    @inline(__always)
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

    /// Writes an id as it stands there, where that is how ids are written.
    public static func copy(_ value: JSONValue, to writer: inout JSONWriter) throws(JSONError) {
        let id = try read(value)
        let isWritten = try value.withUTF8 { text in !text.contains { $0 < 0x61 && $0 >= 0x41 } }
        if isWritten { try writer.string(value) } else { write(id, to: &writer) }
    }
}
