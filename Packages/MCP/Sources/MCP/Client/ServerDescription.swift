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
    public let features: ServerFeatures

    /// Reads `result`, which is the result of `initialize` or `server/discover`.
    init(info: JSONObject?, result: JSONObject) throws(JSONError) {
        name = try info?.optional("name")?.string() ?? ""
        title = try info?.optional("title")?.string()
        version = try info?.optional("version")?.string() ?? ""
        instructions = try result.optional("instructions")?.string()
        features = ServerFeatures(try result.required("capabilities").object())
    }
}

/// The features that a server announces ("capabilities").
public struct ServerFeatures: OptionSet, Sendable, Hashable {
    /// The bits of the features.
    public let rawValue: Int

    /// Creates a set from bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Tools that can be called.
    public static let tools = ServerFeatures(rawValue: 1 << 0)
    /// Notifications of changes of the list of tools.
    public static let toolListChanges = ServerFeatures(rawValue: 1 << 1)
    /// Resources that can be read.
    public static let resources = ServerFeatures(rawValue: 1 << 2)
    /// Notifications of changes of the list of resources.
    public static let resourceListChanges = ServerFeatures(rawValue: 1 << 3)
    /// Notifications of changes of resources.
    public static let subscriptions = ServerFeatures(rawValue: 1 << 4)
    /// Prompts.
    public static let prompts = ServerFeatures(rawValue: 1 << 5)
    /// Notifications of changes of the list of prompts.
    public static let promptListChanges = ServerFeatures(rawValue: 1 << 6)

    init(_ capabilities: JSONObject) {
        var features: ServerFeatures = []
        func read(
            _ key: StaticString,
            _ feature: ServerFeatures,
            _ flags: [(key: StaticString, feature: ServerFeatures)]
        ) {
            guard let object = try? capabilities.optional(key)?.object() else { return }
            features.insert(feature)
            for flag in flags where (try? object[flag.key]?.bool()) == true {
                features.insert(flag.feature)
            }
        }
        read("tools", .tools, [("listChanged", .toolListChanges)])
        read(
            "resources",
            .resources,
            [("listChanged", .resourceListChanges), ("subscribe", .subscriptions)]
        )
        read("prompts", .prompts, [("listChanged", .promptListChanges)])
        self = features
    }
}
