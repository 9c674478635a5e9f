import JSON
import JSONRPC

/// The schemas in `components/schemas` of an OpenRPC document, collected while it is written.
struct OpenRPCSchemas {
    private static let null = JSONFragment { $0.object { $0.member("type", "null") } }

    private var names: [String] = []
    private var used: [String: (schema: ObjectSchema, fragment: JSONFragment)] = [:]

    /// The object `components/schemas`.
    var components: JSONFragment {
        JSONFragment { writer in
            writer.object { writer in
                for name in names {
                    if let fragment = used[name]?.fragment { writer.member(name, fragment) }
                }
            }
        }
    }

    /// A reference to a schema; the schema itself if it has no name, no members, or the name of a
    /// different schema.
    mutating func reference(to schema: ObjectSchema) -> JSONFragment {
        guard let name = schema.name, !schema.properties.isEmpty else {
            return fragment(of: schema)
        }
        if let known = used[name], known.schema != schema { return fragment(of: schema) }
        if used[name] == nil {
            names.append(name)
            used[name] = (schema, .null)
            used[name] = (schema, fragment(of: schema))
        }
        return JSONFragment { writer in
            writer.object { $0.member("$ref", "#/components/schemas/\(name)") }
        }
    }

    private mutating func reference(to schema: JSONSchema) -> JSONFragment {
        switch schema {
        case .encoded(let fragment): fragment
        case .object(let object): reference(to: object)
        case .array(let element): JSONSchema.array(of: .encoded(reference(to: element))).fragment
        }
    }

    private mutating func fragment(of schema: ObjectSchema) -> JSONFragment {
        var schema = schema
        for index in schema.properties.indices {
            let property = schema.properties[index]
            let fragment = reference(to: property.schema)
            let optional = property.isRequired ? fragment : Self.optional(fragment)
            schema.properties[index].schema = .encoded(optional)
        }
        return schema.fragment
    }

    /// The schema of a parameter or a member that may be absent. Generators of clients make it an
    /// optional type with the default null; many of them ignore `required`.
    static func optional(_ schema: JSONFragment) -> JSONFragment {
        JSONFragment { writer in
            writer.object { writer in
                writer.key("anyOf")
                writer.array { writer in
                    writer.raw(schema)
                    writer.raw(null)
                }
                writer.member("default", .null)
            }
        }
    }
}
