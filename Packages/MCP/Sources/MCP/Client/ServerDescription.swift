import JSON

/// What a server says about itself when a client connects.
public struct ServerDescription: Sendable, Hashable {
    /// Its name; empty if it does not tell it.
    public let name: String
    /// Its name for users; nil if it has none.
    public let title: String?
    /// Its version; empty if it does not tell it.
    public let version: String
    /// Instructions to the model on how to use the tools; nil for none.
    public let instructions: String?
    /// The features that it offers.
    public let features: Set<ServerFeature>

    /// Reads `result`, which is the result of `initialize` or `server/discover`.
    init(info: JSONObject?, result: JSONObject) throws(JSONError) {
        name = try info?.optional("name")?.string() ?? ""
        title = try info?.optional("title")?.string()
        version = try info?.optional("version")?.string() ?? ""
        instructions = try result.optional("instructions")?.string()
        let capabilities = try result.required("capabilities").object()
        features = Set(ServerFeature.allCases.filter { $0.isOffered(in: capabilities) })
    }
}

/// A feature that a server announces ("capabilities").
public enum ServerFeature: Sendable, Hashable, CaseIterable {
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
    /// Prompts.
    case prompts
    /// Notifications of changes of the list of prompts.
    case promptListChanges

    /// The capability, and the flag in it that must be true; nil if the capability is enough.
    private var capability: (name: StaticString, flag: StaticString?) {
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
        let (name, flag) = capability
        guard let object = try? capabilities.optional(name)?.object() else { return false }
        return flag.map { (try? object[$0]?.bool()) == true } ?? true
    }
}
