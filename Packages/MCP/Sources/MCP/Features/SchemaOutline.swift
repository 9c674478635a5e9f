import JSON
import JSONRPC

/// Makes an outline of a result schema: the names and types of the members, and of the members of
/// array elements.
///
/// Clients load the schemas of all tools, so full schemas would fill the context of a model. An
/// outline accepts every result that the full schema accepts.
enum SchemaOutline {
    static func make(of schema: ObjectSchema) -> JSONFragment {
        let document = try? JSONDocument(parsing: schema.fragment.bytes)
        guard let object = try? document?.root.object() else { return schema.fragment }
        return JSONFragment { writeObject(object, depth: 0, to: &$0) }
    }

    private static func writeObject(
        _ schema: JSONObject,
        depth: Int,
        to writer: inout JSONWriter
    ) {
        writer.object { writer in
            copy("type", of: schema, to: &writer)
            guard depth < 2 else { return }
            if let properties = try? schema["properties"]?.object() {
                writer.object("properties") { writer in
                    for (name, value) in properties {
                        writer.key(name)
                        write(value, depth: depth + 1, to: &writer)
                    }
                }
            }
            if depth == 0 { copy("required", of: schema, to: &writer) }
        }
    }

    /// Writes the schema of a member.
    private static func write(_ value: JSONValue, depth: Int, to writer: inout JSONWriter) {
        guard let schema = try? value.object() else { return writer.value(value) }
        writer.object { writer in
            copy("type", of: schema, to: &writer)
            guard depth == 1, let items = try? schema["items"]?.object() else { return }
            writer.key("items")
            writeObject(items, depth: depth, to: &writer)
        }
    }

    private static func copy(
        _ key: StaticString,
        of schema: JSONObject,
        to writer: inout JSONWriter
    ) {
        guard let value = schema[key] else { return }
        writer.key(key)
        writer.value(value)
    }
}
