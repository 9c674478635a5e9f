import JSON

/// The identity that a server reports.
public struct Identity: Sendable, Hashable {
    /// Its name for programs.
    public var name: String
    /// Its name for people.
    public var title: String
    /// Its version (semantic versioning).
    public var version: String
    /// An image as a data URI; nil for none.
    public var icon: String?
    /// Instructions for a model that uses the tools.
    public var instructions: String

    /// Makes an identity.
    public init(
        name: String,
        title: String,
        version: String,
        icon: String? = nil,
        instructions: String
    ) {
        self.name = name
        self.title = title
        self.version = version
        self.icon = icon
        self.instructions = instructions
    }

    func write(to writer: inout JSONWriter, _ revision: Revision, hasIcon: Bool) {
        writer.object { writer in
            writer.member("name", name)
            if revision.hasTitles { writer.member("title", title) }
            writer.member("version", version)
            guard hasIcon, revision.hasIcons, let icon else { return }
            writer.key("icons")
            writer.array { writer in
                writer.object { $0.member("src", icon) }
            }
        }
    }
}
