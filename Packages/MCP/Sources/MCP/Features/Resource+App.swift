import JSON
import JSONRPC

/// The extension MCP Apps (specification of 2026-01-26).
enum AppExtension {
    static let name: StaticString = "io.modelcontextprotocol/ui"
    static let mimeType = "text/html;profile=mcp-app"
}

extension Resource {
    /// Creates an app: an HTML page that the client shows in a sandbox, with the results of the tools
    /// that name its URI (``Tool/AppUse``).
    ///
    /// Only clients that support the extension `io.modelcontextprotocol/ui`, and the media type
    /// `text/html;profile=mcp-app`, see apps and the metadata of tools that refers to them. Clients
    /// give the page no access to the network.
    ///
    /// - Parameters:
    ///   - uri: The URI. Its scheme is `ui`.
    ///   - name: The name, for programs.
    ///   - title: The name to show to users; nil to show `name`.
    ///   - description: What users can do with it, in one sentence.
    ///   - html: Returns the page, which contains all its styles and scripts.
    public static func app(
        _ uri: String,
        name: String,
        title: String? = nil,
        description: String,
        html: @escaping @Sendable () -> String
    ) -> Resource {
        Resource(
            uri,
            name: name,
            title: title,
            description: description,
            mimeType: AppExtension.mimeType,
            data: DataAccess(),
            read: { _ in .text(html()) }
        )
    }

    var isApp: Bool { mimeType == AppExtension.mimeType }

    /// Writes how to show an app; nothing for other resources. An empty `csp` allows no network access.
    func writeMeta(to writer: inout JSONWriter) {
        if !isApp { return }
        writer.object("_meta") { writer in
            writer.object("ui") { writer in
                writer.member("csp", JSONFragment.emptyObject)
                writer.member("prefersBorder", true)
            }
        }
    }
}

extension MCPServer {
    /// Whether the client can show apps, and this server has any.
    func offersApps(to context: RequestContext) -> Bool {
        context.showsApps && resources.contains(where: \.isApp)
    }
}
