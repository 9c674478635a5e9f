import JSON

/// The name and version that a server or a client reports (MCP, `Implementation`).
public struct Implementation: Sendable, Hashable {
    /// The name of the server or client, for programs.
    public var name: String
    /// The name to show to users; nil to show `name`.
    public var title: String?
    /// The version of the server or client (Semantic Versioning).
    public var version: String
    /// The icon of a server, as a data URI; nil for none. A client does not send its icon, and does
    /// not read that of a server.
    public var icon: String?

    /// Creates a description of a server or a client.
    public init(
        name: String,
        title: String? = nil,
        version: String,
        icon: String? = nil
    ) {
        self.name = name
        self.title = title
        self.version = version
        self.icon = icon
    }

    /// Reads what a server reports. Members that it omits are empty.
    init(_ object: JSONObject?) throws(JSONError) {
        name = try object?.optional("name")?.string() ?? ""
        title = try object?.optional("title")?.string()
        version = try object?.optional("version")?.string() ?? ""
    }

    func write(to writer: inout JSONWriter, _ revision: Revision, hasIcon: Bool) {
        writer.object { writer in
            writer.member("name", name)
            if revision.hasTitles { writer.member("title", title) }
            writer.member("version", version)
            guard hasIcon, revision.hasIcons, let icon else { return }
            writer.array("icons") { writer in
                writer.object { $0.member("src", icon) }
            }
        }
    }
}
