public import JSONRPC

extension ProtocolExtension {
    /// The Model Context Protocol: `notifications/cancelled`, `notifications/progress`, and `_meta`
    /// in the params. A method table with ``MCPServer/methods`` needs it.
    public static let mcp = ProtocolExtension(
        cancellations: [
            .init("notifications/cancelled", idMember: "requestId", getsReply: false)
        ],
        progressFormats: [MCPProgress.self],
        reservedParameters: ["_meta", "progressToken"]
    )
}
