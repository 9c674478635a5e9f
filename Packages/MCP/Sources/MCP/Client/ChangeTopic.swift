/// What can change on a server.
public enum ChangeTopic: Sendable, Hashable {
    /// The resource with a URI.
    case resource(String)
    /// The list of tools.
    case tools
    /// The list of resources.
    case resources
    /// The list of prompts.
    case prompts

    /// The capability that a server needs to report changes of this topic.
    var capability: ServerCapability {
        switch self {
        case .resource: .subscriptions
        case .tools: .toolListChanges
        case .resources: .resourceListChanges
        case .prompts: .promptListChanges
        }
    }

    /// The notifications of lists, by name.
    static let lists: [(notification: MCPNotification, topic: ChangeTopic)] = [
        (.toolsChanged, .tools),
        (.resourcesChanged, .resources),
        (.promptsChanged, .prompts),
    ]
}
