/// The schemas in `components/schemas` of an OpenRPC or OpenAPI document, collected while it is
/// written.
public struct SchemaComponents: Sendable {
    private var names: [String] = []
    private var used: [String: (schema: ObjectSchema, fragment: JSONFragment)] = [:]

    /// Creates an empty collection.
    public init() {}

    /// The object `components/schemas`.
    public var fragment: JSONFragment {
        JSONFragment.object { writer in
            for name in names {
                if let fragment = used[name]?.fragment { writer.member(named: name, fragment) }
            }
        }
    }

    /// A reference to a schema; the schema itself if it has no name, no members, or the name of a
    /// different schema.
    public mutating func reference(to schema: ObjectSchema) -> JSONFragment {
        guard let name = schema.name, !schema.properties.isEmpty else {
            return fragment(of: schema)
        }
        if let known = used[name], known.schema != schema { return fragment(of: schema) }
        if used[name] == nil {
            names.append(name)
            used[name] = (schema, .null)
            used[name] = (schema, fragment(of: schema))
        }
        return JSONFragment.object { $0.member("$ref", "#/components/schemas/\(name)") }
    }

    /// The schema, with references to the named schemas in it.
    public mutating func reference(to schema: JSONSchema) -> JSONFragment {
        schema.fragment { reference(to: $0) }
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
    public static func optional(_ schema: JSONFragment) -> JSONFragment {
        JSONSchema.anyOf([.encoded(schema), .null]).adding("default", JSONFragment.null).fragment
    }
}
