/// A JSON Schema (2020-12). The schemas of objects and arrays are encoded only on demand, so that a
/// document can define a named schema once and refer to it.
public indirect enum JSONSchema: Sendable, Hashable {
    /// A schema that is already encoded.
    case encoded(JSONFragment)
    /// The schema of an object.
    case object(ObjectSchema)
    /// The schema of an array.
    case array(of: JSONSchema)
    /// The schema of values that match at least one of several schemas.
    case anyOf([JSONSchema])

    /// The encoded schema. Named schemas are written inline, too.
    public var fragment: JSONFragment { fragment { $0.fragment } }

    /// The encoded schema, in which `encode` encodes the schemas of objects.
    func fragment(_ encode: (ObjectSchema) -> JSONFragment) -> JSONFragment {
        switch self {
        case .encoded(let fragment): fragment
        case .object(let object): encode(object)
        case .array(let element):
            JSONFragment.object { writer in
                writer.member("type", "array")
                writer.member("items", element.fragment(encode))
            }
        case .anyOf(let schemas):
            JSONFragment.object { $0.member("anyOf", schemas.map { $0.fragment(encode) }) }
        }
    }
}
