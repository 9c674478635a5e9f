import JSON
import JSONRPC

/// Makes an outline of a result schema: the names and types of the members, and of the members of
/// array elements.
///
/// Clients load the schemas of all tools, so full schemas would fill the context of a model. An
/// outline accepts every result that the full schema accepts.
enum SchemaOutline {
    static func make(of schema: ObjectSchema) -> JSONFragment {
        outline(of: schema, depth: 0)
    }

    private static func outline(of schema: ObjectSchema, depth: Int) -> JSONFragment {
        .object { writer in
            writer.member("type", "object")
            guard depth < 2 else { return }
            writer.object("properties") { writer in
                for property in schema.properties {
                    let outline = outline(ofMember: property.schema, depth: depth + 1)
                    writer.member(named: property.name, outline)
                }
            }
            let required = schema.properties.filter(\.isRequired).map(\.name)
            if depth == 0, !required.isEmpty { writer.member("required", required) }
        }
    }

    private static func outline(ofMember schema: JSONSchema, depth: Int) -> JSONFragment {
        switch schema {
        case .object:
            return JSONFragment.object { $0.member("type", "object") }
        case .array(let element):
            return JSONFragment.object { writer in
                writer.member("type", "array")
                guard depth == 1 else { return }
                if case .object(let object) = element {
                    writer.member("items", outline(of: object, depth: depth))
                } else {
                    writer.member("items", outline(ofElement: element.fragment, depth: depth))
                }
            }
        case .anyOf: return .emptyObject
        case .encoded(let fragment):
            if schema.isSimple { return fragment }
            let document = try? JSONDocument(parsing: fragment.bytes)
            return document.map { outline(ofMember: $0.root, depth: depth) } ?? fragment
        }
    }

    private static func outline(ofElement schema: JSONFragment, depth: Int) -> JSONFragment {
        let document = try? JSONDocument(parsing: schema.bytes)
        let object = try? document?.root.object()
        return object.map { outline(of: $0, depth: depth) } ?? schema
    }

    // MARK: Encoded schemas

    private static func outline(of schema: JSONObject, depth: Int) -> JSONFragment {
        .object { writer in
            writer.member("type", schema["type"])
            guard depth < 2, let properties = try? schema["properties"]?.object() else { return }
            writer.object("properties") { writer in
                for (name, value) in properties {
                    writer.member(named: name, outline(ofMember: value, depth: depth + 1))
                }
            }
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
