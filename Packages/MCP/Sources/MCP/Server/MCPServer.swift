import JSON
public import JSONRPC

/// The Model Context Protocol on a JSON-RPC connection. Add its ``methods`` and
/// ``JSONRPC/ProtocolExtension/mcp`` to the method table of the server.
///
/// It supports every ``Revision``. If a request names a revision in `_meta`, that revision applies;
/// otherwise, the revision from the handshake (`initialize`) applies. Each connection needs its own
/// instance.
public struct MCPServer: Sendable {
    let identity: Identity
    let tools: [Tool]
    private let toolsByName: [String: Tool]
    let toolNames: ToolNames
    let resources: [Resource]
    let templates: [ResourceTemplate]
    let prompts: [Prompt]
    let onSubscription: @Sendable () -> Void
    let declined: RPCError
    let lspInitializeResult: LSPInitializeResult
    let client = ClientState()
    let requestStates: RequestStateCodec
    let makeIdempotencyKey: @Sendable () -> String

    /// Creates a server for one connection.
    ///
    /// - Parameters:
    ///   - onSubscription: Runs when the client subscribes to a resource.
    ///   - declined: The error of a call that the user did not confirm.
    ///   - makeIdempotencyKey: Returns a unique key for a call that asks the user first.
    ///   - lspInitializeResult: The result of an `initialize` from an LSP client.
    public init(
        identity: Identity,
        tools: [Tool],
        resources: [Resource] = [],
        templates: [ResourceTemplate] = [],
        prompts: [Prompt] = [],
        onSubscription: @escaping @Sendable () -> Void = {},
        declined: RPCError,
        makeIdempotencyKey: @escaping @Sendable () -> String,
        lspInitializeResult: LSPInitializeResult
    ) {
        self.identity = identity
        self.tools = tools
        toolsByName = Dictionary(tools.map { ($0.name, $0) }) { first, _ in first }
        toolNames = ToolNames(ofMethods: tools.map(\.method.name))
        self.resources = resources
        self.templates = templates
        self.prompts = prompts
        self.onSubscription = onSubscription
        self.declined = declined
        self.lspInitializeResult = lspInitializeResult
        requestStates = RequestStateCodec()
        self.makeIdempotencyKey = makeIdempotencyKey
    }

    /// The methods of the protocol.
    public var methods: [Method] {
        lifecycleMethods + toolMethods + resourceMethods + subscriptionMethods + promptMethods
    }

    /// Notifies the subscribers of the resource `uri` that it has changed. The closure does not
    /// retain this server.
    public var resourceChanged: @Sendable (_ uri: String) -> Void { client.resourceChanged }

    /// Returns the URIs to which the client has subscribed. The closure does not retain this
    /// server.
    public var subscribedURIs: @Sendable () -> Set<String> { { [client] in client.subscribedURIs } }

    func tool(named name: String) -> Tool? { toolsByName[name] }

    func context(of call: Call) throws(RPCError) -> RequestContext {
        try RequestContext(call, client, identity)
    }

    /// Makes a method of the protocol. It accepts unknown parameters, because newer clients may
    /// send them.
    func method(
        _ name: String,
        _ handler: @escaping @Sendable (Call, RequestContext) async throws(RPCError) -> JSONFragment
    ) -> Method {
        var method = Method(
            name,
            "Defined by MCP.",
            result: .init("result", "defined by MCP")
        ) {
            call throws(RPCError) in
            try await handler(call, context(of: call))
        }
        method.acceptsUnknownParameters = true
        method.data = Self.session
        return method
    }

    /// The state of the client, which `initialize` changes.
    static let session = DataAccess(reads: ["mcp.session"])
}
