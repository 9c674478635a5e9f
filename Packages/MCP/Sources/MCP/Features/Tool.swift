public import JSON
public import JSONRPC

/// A method of the server as a tool for models.
///
/// A class, because each call finds its tool several times, and copying a method takes longer than
/// that.
public final class Tool: Sendable {
    /// Returns the question to ask the user before a call; nil if none is needed, because the call
    /// changes nothing. Throws the error of a call that cannot succeed.
    public typealias Confirmation = @Sendable (Params) async throws(RPCError) -> String?

    /// The method's name with `_` for `/`: most clients allow no slash.
    let name: String
    let method: Method
    let confirmation: Confirmation?
    let idempotencyParameter: String?
    let image: ImageMembers?
    /// The data that its calls access; nil for all data.
    let data: DataAccess?
    private let defaults: [String: JSONFragment]
    private let defaultValues: [(name: String, value: JSONValue)]

    /// Describes a tool.
    ///
    /// - Parameters:
    ///   - defaults: What a call contains for parameters that it omits, by name.
    ///   - confirmation: Makes the question to ask the user before a call.
    ///   - idempotencyParameter: The parameter that identifies repetitions of the same call. It is
    ///     set for a call that needs two requests, because it asks the user.
    ///   - image: The members of the result to present to the model as an image.
    public init(
        _ method: Method,
        defaults: [String: JSONFragment] = [:],
        confirmation: Confirmation? = nil,
        idempotencyParameter: String? = nil,
        image: ImageMembers? = nil
    ) {
        name = String(method.name.map { $0 == "/" ? "_" : $0 })
        self.method = method
        self.confirmation = confirmation
        self.idempotencyParameter = idempotencyParameter
        self.image = image
        data = method.data?.reading(MCPServer.session.reads)
        self.defaults = defaults
        defaultValues = defaults.compactMap { name, value in
            (try? JSONDocument(parsing: value.bytes).root).map { (name, $0) }
        }
    }

    /// Reads the arguments of a call and adds the defaults.
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
            schema.properties[index].schema = parameter.schema.addingMember("default", value)
        }
        return schema.fragment
    }

    /// The result of the method, or an error in its place.
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
