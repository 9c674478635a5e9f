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
        return outline(of: object, depth: 0)
    }

    private static func outline(of schema: JSONObject, depth: Int) -> JSONFragment {
        .object { writer in
            writer.member("type", schema["type"])
            guard depth < 2 else { return }
            if let properties = try? schema["properties"]?.object() {
                writer.object("properties") { writer in
                    for (name, value) in properties {
                        writer.member(named: name, outline(ofMember: value, depth: depth + 1))
                    }
                }
            }
            if depth == 0 { writer.member("required", schema["required"]) }
        }
    }

    private static func outline(ofMember value: JSONValue, depth: Int) -> JSONFragment {
        guard let schema = try? value.object() else { return JSONFragment { $0.value(value) } }
        return .object { writer in
            writer.member("type", schema["type"])
            guard depth == 1, let items = try? schema["items"]?.object() else { return }
            writer.member("items", outline(of: items, depth: depth))
        }
    }
}
