import JSON

/// What a server says about itself when a client connects.
public struct ServerDescription: Sendable, Hashable {
    /// The name and version of the server; empty if the server does not state them.
    public let info: Implementation
    /// Instructions to the model on how to use the tools; nil for none.
    public let instructions: String?
    /// The features that the server offers.
    public let capabilities: Set<ServerCapability>

    /// Reads `result`, which is the result of `initialize` or `server/discover`.
    init(info: JSONObject?, result: JSONObject) throws(JSONError) {
        self.info = try Implementation(info)
        instructions = try result.optional("instructions")?.string()
        let offered = try result.required("capabilities").object()
        capabilities = Set(ServerCapability.allCases.filter { $0.isOffered(in: offered) })
    }
}

/// A feature that a server announces (MCP, `ServerCapabilities`).
public enum ServerCapability: Sendable, Hashable, CaseIterable {
    /// Tools that can be called.
    case tools
    /// Notifications of changes of the list of tools.
    case toolListChanges
    /// Resources that can be read.
    case resources
    /// Notifications of changes of the list of resources.
    case resourceListChanges
    /// Notifications of changes of resources.
    case subscriptions
    /// Prompts that can be requested.
    case prompts
    /// Notifications of changes of the list of prompts.
    case promptListChanges

    /// The member of the capabilities, and the flag in it that must be true; nil if the member is
    /// enough.
    private var member: (name: StaticString, flag: StaticString?) {
        switch self {
        case .tools: ("tools", nil)
        case .toolListChanges: ("tools", "listChanged")
        case .resources: ("resources", nil)
        case .resourceListChanges: ("resources", "listChanged")
        case .subscriptions: ("resources", "subscribe")
        case .prompts: ("prompts", nil)
        case .promptListChanges: ("prompts", "listChanged")
        }
    }

    func isOffered(in capabilities: JSONObject) -> Bool {
        let (name, flag) = member
        guard let object = try? capabilities.optional(name)?.object() else { return false }
        return flag.map { (try? object[$0]?.bool()) == true } ?? true
    }
}
