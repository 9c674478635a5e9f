public import JSONRPC

extension CancellationNotification {
    /// The notification that cancels a request in MCP: `notifications/cancelled`.
    public static let mcp = CancellationNotification(
        MCPNotification.cancelled.rawValue,
        idMember: "requestId",
        getsReply: false
    )
}

extension ProtocolExtension {
    /// The Model Context Protocol: `notifications/cancelled`, `notifications/progress`, and `_meta`
    /// in the params. A method table with ``MCPServer/methods`` needs it.
    public static let mcp = ProtocolExtension(
        cancellations: [.mcp],
        progressFormats: [MCPProgress.self],
        reservedParameters: ["_meta", "progressToken"],
        metadata: ["_meta"],
        notifications: Set(MCPNotification.allCases.map(\.rawValue))
    )
}
