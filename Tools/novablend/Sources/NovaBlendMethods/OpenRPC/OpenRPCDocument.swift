import JSON
import JSONRPC

/// The OpenRPC document that describes methods: https://spec.open-rpc.org, version 1.3.2.
struct OpenRPCDocument {
    private let version: String
    private var schemas = SchemaComponents()
    private var methods: [JSONFragment] = []
    private let eventSchema: JSONFragment

    init(of methods: [Method], version: String) {
        self.version = version
        eventSchema = schemas.reference(to: Subscriptions.event)
        for method in methods { self.methods.append(fragment(of: method)) }
    }

    var fragment: JSONFragment {
        JSONFragment.object { writer in
            writer.member("openrpc", "1.3.2")
            writer.object("info") { writer in
                writer.member("title", "novablend")
                writer.member("version", version)
            }
            writer.member("methods", methods)
            // OpenRPC has no notifications of the server.
            writer.array("x-notifications") { writer in
                writer.object { writer in
                    writer.member("name", Subscriptions.didChange)
                    writer.member("params", eventSchema)
                }
            }
            writer.object("components") { $0.member("schemas", schemas.fragment) }
        }
    }

    private mutating func fragment(of method: Method) -> JSONFragment {
        let result = schemas.reference(to: method.namedResultSchema)
        return JSONFragment.object { writer in
            writer.member("name", method.name)
            writer.member("summary", method.summary)
            writer.member("paramStructure", "either")
            if method.mayChange { writer.member("x-changes", true) }
            writer.member("params", method.parameters.map(Self.fragment))
            writer.object("result") { writer in
                writer.member("name", method.result.name)
                writer.member("summary", method.result.summary)
                writer.member("required", true)
                writer.member("schema", result)
            }
            writer.member("errors", method.errors.map(Self.fragment))
            if let example = method.example {
                writer.member("examples", [Self.fragment(of: example, of: method)])
            }
            if !method.declaration.exampleFollows.isEmpty {
                writer.member("x-exampleFollows", method.declaration.exampleFollows)
            }
        }
    }

    private static func fragment(of parameter: Method.Parameter) -> JSONFragment {
        let schema = parameter.schema.fragment
        return ObjectFragment { writer in
            writer.member("name", parameter.name)
            writer.member("summary", parameter.summary)
            if parameter.isRequired { writer.member("required", true) }
            writer.member("x-time", parameter.timeKind?.rawValue)
            writer.member(
                "schema",
                parameter.isRequired ? schema : SchemaComponents.optional(schema)
            )
        }.fragment
    }

    private static func fragment(of error: ProgramError) -> JSONFragment {
        ObjectFragment { writer in
            writer.member("code", error.code)
            writer.member("message", error.summary)
            writer.object("data") { $0.member("name", error.name) }
            let members = error.times
            if !members.isEmpty { writer.member("x-times", members) }
        }.fragment
    }

    /// Encodes an example, without a result, because results depend on the time and the server.
    private static func fragment(of example: JSONObject, of method: Method) -> JSONFragment {
        let params = method.parameters.compactMap { parameter in
            example.member(named: parameter.name).map { value in
                ObjectFragment { writer in
                    writer.member("name", parameter.name)
                    writer.member("value", JSONFragment { $0.value(value) })
                }.fragment
            }
        }
        return ObjectFragment { writer in
            writer.member("name", method.title ?? method.name)
            writer.member("params", params)
        }.fragment
    }
}

extension Method {
    /// The schema of the result. It is named after the method if it has no name.
    fileprivate var namedResultSchema: ObjectSchema {
        let words = name.split { !$0.isLetter && !$0.isNumber }
        let pascalCase = words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
        return result.schema.name == nil
            ? result.schema.named(pascalCase + "Result") : result.schema
    }
}
