public import JSON
public import JSONRPC

/// A tool that calls a method of the server.
///
/// This is a class because each call looks up its tool several times, and copying a method would
/// cost more than the lookup.
public final class Tool: Sendable {
    /// Returns the question to ask the user before a call; nil if the call changes nothing and
    /// needs no confirmation. Throws if the call cannot succeed, so that the user is not asked.
    public typealias MakeConfirmation = @Sendable (Params) async throws(RPCError) -> Confirmation?

    /// The method's name with `_` instead of `/`: most clients do not allow slashes.
    let name: String
    let method: Method
    let makeConfirmation: MakeConfirmation?
    let idempotencyParameter: String?
    let image: ImageMembers?
    /// The data that calls access; nil for all data.
    let data: DataAccess?
    private let defaults: [String: JSONFragment]
    private let defaultValues: [(name: String, value: JSONValue)]

    /// Describes a tool.
    ///
    /// - Parameters:
    ///   - defaults: Values for parameters that a call omits, by name.
    ///   - makeConfirmation: Returns the question to ask the user before a call.
    ///   - idempotencyParameter: The parameter for the idempotency key. If a confirmation needs two
    ///     requests, both use the same key.
    ///   - image: The result members that contain an image for the model.
    public init(
        _ method: Method,
        defaults: [String: JSONFragment] = [:],
        makeConfirmation: MakeConfirmation? = nil,
        idempotencyParameter: String? = nil,
        image: ImageMembers? = nil
    ) {
        name = String(method.name.map { $0 == "/" ? "_" : $0 })
        self.method = method
        self.makeConfirmation = makeConfirmation
        self.idempotencyParameter = idempotencyParameter
        self.image = image
        data = method.data?.reading(MCPServer.session.reads)
        self.defaults = defaults
        defaultValues = defaults.compactMap { name, value in
            (try? JSONDocument(parsing: value.bytes).root).map { (name, $0) }
        }
    }

    /// Parses the arguments of a call and adds the defaults.
    func params(_ arguments: JSONValue?) throws(RPCError) -> Params {
        if let arguments, arguments.kind != .object, !arguments.isNull {
            throw .invalidParams("\"arguments\" must be an object", parameter: "arguments")
        }
        let reserved = ProtocolExtension.mcp.reservedParameters
        var params = try Params(arguments, for: method, ignoring: reserved)
        for (name, value) in defaultValues { params = params.defaulting(name, to: value) }
        return params
    }
}

extension Params {
    /// Returns these parameters. Those that were absent or null are set to their value in `values`.
    func defaulting(to values: [String: JSONFragment]) -> Params {
        values.reduce(self) { $0.defaulting($1.key, to: $1.value) }
    }
}

extension Tool {
    func write(to writer: inout JSONWriter, _ revision: Revision) {
        writer.object { writer in
            writer.member("name", name)
            if revision.hasTitles { writer.member("title", method.title) }
            writer.member("description", method.summary)
            writer.member("inputSchema", inputSchema)
            if revision.hasStructuredContent { writer.member("outputSchema", outputSchema) }
            if revision.hasAnnotations {
                writer.key("annotations")
                writer.object { writeAnnotations(to: &$0) }
            }
        }
    }

    private var inputSchema: JSONFragment {
        var schema = method.paramsSchema
        schema.isClosed = true
        for (index, parameter) in method.parameters.enumerated() {
            guard let value = defaults[parameter.name] else { continue }
            let schemaWithDefault = parameter.schema.addingMember("default", value)
            schema.properties[index].schema = .encoded(schemaWithDefault)
        }
        return schema.fragment
    }

    /// The schema of the method's result, or of an error instead.
    private var outputSchema: JSONFragment {
        var schema = method.result.schema
        let required = schema.properties.filter(\.isRequired).map(\.name)
        let error = ObjectSchema.Property("error", ToolResult.errorSchema.fragment)
        schema.properties.append(error)
        return JSONFragment { writer in
            writer.object { writer in
                schema.writeMembers(to: &writer)
                writer.key("anyOf")
                writer.array { writer in
                    writer.object { $0.member("required", required) }
                    writer.object { $0.member("required", [error.name]) }
                }
            }
        }
    }

    private func writeAnnotations(to writer: inout JSONWriter) {
        writer.member("title", method.title)
        switch method.effect {
        case .reads: writer.member("readOnlyHint", true)
        case .changes(let destroys, let isIdempotent):
            writer.member("readOnlyHint", false)
            writer.member("destructiveHint", destroys)
            writer.member("idempotentHint", isIdempotent)
        }
    }
}
