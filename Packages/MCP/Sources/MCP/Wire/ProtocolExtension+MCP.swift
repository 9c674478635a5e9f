public import JSONRPC

extension ProtocolExtension {
    /// The Model Context Protocol, for the method table that contains ``MCPServer/methods``:
    /// `notifications/cancelled`, `notifications/progress`, and `_meta` in the params.
    public static let mcp = ProtocolExtension(
        cancellations: [
            .init("notifications/cancelled", idMember: "requestId", getsReply: false)
        ],
        progressFormats: [MCPProgress.self],
        reservedParameters: ["_meta", "progressToken"]
    )
}
