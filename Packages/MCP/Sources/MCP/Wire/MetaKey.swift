/// The keys of `_meta` in revisions without a handshake.
enum MetaKey {
    static let protocolVersion: StaticString = "io.modelcontextprotocol/protocolVersion"
    static let clientInfo: StaticString = "io.modelcontextprotocol/clientInfo"
    static let clientCapabilities: StaticString = "io.modelcontextprotocol/clientCapabilities"
    static let serverInfo: StaticString = "io.modelcontextprotocol/serverInfo"
    static let subscriptionID: StaticString = "io.modelcontextprotocol/subscriptionId"
}
