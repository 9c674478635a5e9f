public import Domain
public import JSON

/// A salon's identity on the wire: a UUID in either case, written in lower case.
public enum SalonIDCodec: ModelCodec {
    /// Reads an id; anything else is a `mismatch` that names its path.
    public static func read(_ value: JSONValue) throws(JSONError) -> SalonID {
        guard let id = try value.withUTF8({ SalonID(utf8: $0) }) else {
            throw value.mismatch(expected: "a UUID")
        }
        return id
    }

    /// Writes an id as `read` reads it.
    public static func write(_ id: SalonID, to writer: inout JSONWriter) {
        writer.string(id.description)
    }
}
