import JSON

/// The name and version that a server reports (MCP, `Implementation`).
public struct Implementation: Sendable, Hashable {
    /// The name of the server, for programs.
    public var name: String
    /// The name to show to users; nil to show `name`.
    public var title: String?
    /// The version of the server (Semantic Versioning).
    public var version: String
    /// The icon of a server, as a data URI; nil for none.
    public var icon: String?

    /// Creates a description of a server.
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
