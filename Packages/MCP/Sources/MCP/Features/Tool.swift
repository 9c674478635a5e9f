import JSON
import JSONRPC

/// A method of the server as a tool for models.
struct Tool: Sendable {
    let method: Method
    /// The method's name with `_` for `/`: most clients allow no slash.
    let name: String
    /// The data that its calls touch; nil for all data.
    let data: DataAccess?
    private let defaults: [(name: String, value: JSONValue)]

    init(_ method: Method) {
        self.method = method
        data = method.data?.reading(MCPServer.session.reads)
        defaults = method.parameters.compactMap { parameter in
            let value = parameter.agentDefault.flatMap { try? JSONDocument(parsing: $0.bytes).root }
            return value.map { (parameter.name, $0) }
        }
        name = String(method.name.map { $0 == "/" ? "_" : $0 })
    }

    /// Reads the arguments of a call, and adds what an agent's call has by default.
    func params(_ arguments: JSONValue?) throws(RPCError) -> Params {
        if let arguments, arguments.kind != .object, !arguments.isNull {
            throw .invalidParams("\"arguments\" must be an object", parameter: "arguments")
        }
        var params = try Params(arguments, for: method)
        for (name, value) in defaults { params = params.defaulting(name, to: value) }
        return params
    }

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
            guard let value = parameter.agentDefault else { continue }
            schema.properties[index].schema = parameter.schema.addingMember("default", value)
        }
        return schema.fragment
    }

    /// What the method gives, or an error in its place.
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
