/// The notifications of MCP.
enum MCPNotification: String, CaseIterable {
    case initialized = "notifications/initialized"
    case cancelled = "notifications/cancelled"
    case progress = "notifications/progress"
    case resourceUpdated = "notifications/resources/updated"
    case resourcesChanged = "notifications/resources/list_changed"
    case toolsChanged = "notifications/tools/list_changed"
    case promptsChanged = "notifications/prompts/list_changed"
    case subscriptionAcknowledged = "notifications/subscriptions/acknowledged"
}
