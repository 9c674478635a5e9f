import JSON
public import JSONRPC

/// The Model Context Protocol on a JSON-RPC connection: a table of methods to add to the server's.
///
/// All five revisions at once. A request that names its revision in `_meta` is answered by that
/// alone; others by the `initialize` before them. One server serves one connection.
public struct MCPServer: Sendable {
    let identity: Identity
    let tools: [Tool]
    let resources: [Resource]
    let templates: [ResourceTemplate]
    let prompts: [Prompt]
    let onSubscription: @Sendable () -> Void
    let declined: RPCError
    let lifecycle: Lifecycle
    let client = ClientState()
    let confirmations: Confirmations
    let makeIdempotencyKey: @Sendable () -> String

    /// Makes a server that offers `methods` as tools. `onSubscription` runs
    /// when somebody wants to hear of changes. `declined` is what a tool fails with when the
    /// user did not confirm; `makeIdempotencyKey` gives the key of a call that asks the user first,
    /// which must be unique; `lifecycle` answers an `initialize` that is LSP's and not MCP's.
    public init(
        identity: Identity,
        tools methods: [Method],
        resources: [Resource] = [],
        templates: [ResourceTemplate] = [],
        prompts: [Prompt] = [],
        onSubscription: @escaping @Sendable () -> Void = {},
        declined: RPCError,
        makeIdempotencyKey: @escaping @Sendable () -> String,
        lifecycle: Lifecycle
    ) {
        self.identity = identity
        self.tools = methods.map(Tool.init)
        self.resources = resources
        self.templates = templates
        self.prompts = prompts
        self.onSubscription = onSubscription
        self.declined = declined
        self.lifecycle = lifecycle
        confirmations = Confirmations()
        self.makeIdempotencyKey = makeIdempotencyKey
    }

    /// The methods of the protocol.
    public var methods: [Method] {
        lifecycleMethods + toolMethods + resourceMethods + subscriptionMethods + promptMethods
    }

    /// Tells the subscribers of the resource `uri` that it is another now. Whoever keeps it does not
    /// keep the tools with it.
    public var resourceChanged: @Sendable (_ uri: String) -> Void { client.changed }

    /// The URIs that the client has subscribed to.
    public var subscribedURIs: @Sendable () -> Set<String> { { [client] in client.subscribedURIs } }

    func context(of call: Call) throws(RPCError) -> Context {
        try Context(call, client, identity)
    }

    /// A method of the protocol; what it takes is read by its handler, since newer clients may send
    /// more.
    func method(
        _ name: String,
        _ handler: @escaping @Sendable (Call, Context) async throws(RPCError) -> JSONFragment
    ) -> Method {
        var method = Method(name, "As MCP has it.", result: .init("result", "as MCP has it")) {
            call throws(RPCError) in
            try await handler(call, context(of: call))
        }
        method.isOpen = true
        method.data = Self.session
        return method
    }

    /// What a request is answered by that does not say its revision: `initialize` changes it.
    static let session = DataAccess(reads: ["mcp.session"])
}
