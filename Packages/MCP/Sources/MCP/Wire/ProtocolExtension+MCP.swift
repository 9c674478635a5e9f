import JSON
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
    public static let mcp = {
        var mcp = ProtocolExtension(
            cancellations: [.mcp],
            progressFormats: [MCPProgress.self],
            reservedParameters: ["_meta", "progressToken"],
            metadata: ["_meta"],
            notifications: Set(MCPNotification.allCases.map(\.rawValue))
        )
        // Since 2026-07-28, a cancelled request gets nothing more. Before, a call that could not stop
        // anymore still reports what it did.
        mcp.isSilentAfterCancellation = { params in
            let meta = try? (try? params?.object())?.optional("_meta")?.object()
            let name = try? meta?[MetaKey.protocolVersion]?.string()
            return name.flatMap(Revision.init).map { !$0.hasHandshake } ?? false
        }
        return mcp
    }()
}
