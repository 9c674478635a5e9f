public import JSON

/// The result of a tool call (MCP, `CallToolResult`).
public struct CallToolResult: Sendable {
    /// Whether the tool failed. ``content`` then says why, so that the model can correct the call.
    public let isError: Bool
    /// The parts of the result.
    public let content: [ContentBlock]
    /// The result as JSON; nil for none. It is an object, except in 2026-07-28, which allows any
    /// value.
    public let structuredContent: JSONValue?

    /// The texts in ``content``, each in its own line.
    public var text: String {
        let texts = content.compactMap { if case .text(let text) = $0 { text } else { nil } }
        return texts.joined(separator: "\n")
    }

    init(_ object: JSONObject) throws(JSONError) {
        isError = try object.optional("isError")?.bool() ?? false
        content = try object.contents("content")
        structuredContent = object.optional("structuredContent")
    }
}
