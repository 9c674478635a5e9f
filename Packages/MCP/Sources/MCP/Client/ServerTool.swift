public import JSON

/// A tool in the list of a server.
public struct ServerTool: Sendable {
    /// The name with which the tool is called.
    public let name: String
    /// The name to show to users; nil if the tool has none.
    public let title: String?
    /// What the tool does, for the model; nil if the server does not state it.
    public let description: String?
    /// The JSON Schema of the arguments.
    public let inputSchema: JSONValue
    /// The JSON Schema of ``CallToolResult/structuredContent``; nil if the server does not provide
    /// it.
    public let outputSchema: JSONValue?
    /// Whether the server says that calls change nothing. Rely on this only if you trust the
    /// server.
    public let readOnlyHint: Bool

    init(_ object: JSONObject) throws(JSONError) {
        name = try object.required("name").string()
        let annotations = try object.optional("annotations")?.object()
        let ownTitle = try object.optional("title")?.string()
        // Before 2025-06-18, the title was an annotation.
        let annotatedTitle = try annotations?.optional("title")?.string()
        title = ownTitle ?? annotatedTitle
        description = try object.optional("description")?.string()
        inputSchema = try object.required("inputSchema").object().value
        outputSchema = object.optional("outputSchema")
        readOnlyHint = try annotations?.optional("readOnlyHint")?.bool() ?? false
    }
}
