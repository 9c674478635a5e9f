public import JSON

/// A tool in the list of a server.
public struct ServerTool: Sendable {
    /// The name to call it by.
    public let name: String
    /// The name to show to users; nil if it has none.
    public let title: String?
    /// What it does, for the model; nil if the server does not say it.
    public let description: String?
    /// The JSON Schema of its arguments.
    public let inputSchema: JSONValue
    /// The JSON Schema of ``CallToolResult/structuredContent``; nil if the server does not say it.
    public let outputSchema: JSONValue?
    /// Whether the server says that calls change nothing. Do not trust it if the server is not
    /// trusted.
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
