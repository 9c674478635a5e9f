public import MCP

/// What agents may do, and for what they need the consent of their user.
public struct AgentSettings: Sendable {
    /// Which calls need the consent of the user, unless they are told otherwise.
    public static let standardConsent = Consent.Policy.whenPossible

    /// The tools that agents get.
    public var tools = ToolSelection()
    /// Whether the list of tools contains the schemas of their results.
    public var listsResultSchemas = false
    /// Which calls need the consent of the user.
    public var consent = Self.standardConsent
    /// How long a question waits for the user's answer; 4 minutes by default.
    public var questionTimeout = Duration.seconds(240)

    /// Creates the default settings.
    public init() {}
}
