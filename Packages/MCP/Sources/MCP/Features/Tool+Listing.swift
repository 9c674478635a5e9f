import JSON
import JSONRPC

/// The entry of a tool in the list of tools.
extension Tool {
    func writeMembers(
        to writer: inout JSONWriter,
        _ names: ToolNames,
        _ revision: Revision,
        hasResultSchema: Bool
    ) {
        writer.member("name", name)
        if revision.hasTitles { writer.member("title", method.title) }
        writer.member("description", names.replacingMethods(in: method.summary))
        writer.member("inputSchema", inputSchema(names))
        if revision.hasStructuredContent {
            // Clients load the schemas of all tools, so by default this one only says that results are
            // structured.
            let object = JSONFragment.object { $0.member("type", "object") }
            writer.member("outputSchema", hasResultSchema ? resultSchema(names) : object)
        }
        if revision.hasAnnotations {
            writer.object("annotations") { writeAnnotations(to: &$0, revision) }
        }
    }

    private func inputSchema(_ names: ToolNames) -> JSONFragment {
        var schema = method.paramsSchema
        let (defaults, unlisted) = (arguments.defaults, arguments.unlisted)
        schema.isClosed = true
        schema.properties.removeAll { unlisted.contains($0.name) }
        for (index, property) in schema.properties.enumerated() {
            let summary = property.summary.map(names.replacingMethods)
            schema.properties[index].summary = summary
            guard let value = defaults[property.name] else { continue }
            schema.properties[index].schema = property.schema.adding("default", value)
        }
        return schema.fragment
    }

    /// Writes the hints that differ from their defaults, and the title in revisions that have no
    /// other member for it.
    private func writeAnnotations(to writer: inout JSONWriter, _ revision: Revision) {
        if !revision.hasTitles { writer.member("title", method.title) }
        switch method.effect {
        case .reads: writer.member("readOnlyHint", true)
        case .changes(let destroys, let isIdempotent):
            writer.member("destructiveHint", destroys)
            if isIdempotent { writer.member("idempotentHint", true) }
        }
        if isLocal { writer.member("openWorldHint", false) }
    }
}
