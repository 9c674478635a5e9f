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
        try value.text("a UUID") { Identifier(utf8: $0) }
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

/// The JSON of a salon's id.
public typealias SalonIDCodec = IdentifierCodec

/// The JSON of an id that a server chooses and that need not be a UUID, such as the id of a service,
/// a staff member, or a hold: 1 to 64 visible ASCII characters.
public enum LocalIDCodec: ModelCodec {
    /// Strings of 1 to 64 visible ASCII characters.
    public static let schema = JSONSchema.string(pattern: "^[!-~]{1,64}$")

    /// Reads an id. Throws a `mismatch` with the path of an invalid value.
    public static func read(_ value: JSONValue) throws(JSONError) -> String {
        let isValid = try value.withUTF8 { text in
            (1...64).contains(text.count) && text.allSatisfy { (0x21...0x7E).contains($0) }
        }
        guard isValid else {
            throw value.mismatch(expected: "an id of 1 to 64 visible ASCII characters")
        }
        return try value.string()
    }

    /// Writes an id.
    public static func write(_ id: String, to writer: inout JSONWriter) { writer.string(id) }

    /// Reads the `id` of each element. Throws a `mismatch` for an id that occurs twice.
    static func checkUnique(_ elements: JSONArray, _ name: String) throws(JSONError) {
        var ids: Set<String> = []
        for element in elements {
            let id = try element.object().required("id")
            guard ids.insert(try id.string()).inserted else {
                throw id.mismatch(expected: "an id that no other \(name) has")
            }
        }
    }
}
