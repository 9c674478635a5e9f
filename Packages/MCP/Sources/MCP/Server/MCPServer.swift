public import JSON
public import JSONRPC

/// A server of the Model Context Protocol (https://modelcontextprotocol.io) on a JSON-RPC
/// connection, which ``makeConnection(over:observer:)`` creates.
///
/// The server supports every ``Revision``. If a request names a revision in `_meta`, that revision
/// applies; otherwise, the revision from the handshake (`initialize`) applies, or 2025-11-25 if
/// there was none. Each connection needs its own instance.
///
/// The server announces only the features that it offers. The methods of other features do not
/// exist (-32601). Lists have pages of 50 elements.
public struct MCPServer: Sendable {
    let serverInfo: Implementation
    let instructions: String?
    let tools: [Tool]
    private let toolsByName: [String: Tool]
    let toolNames: ToolNames
    let resources: [Resource]
    let templates: [ResourceTemplate]
    let prompts: [Prompt]
    let subscriptions: ResourceSubscriptions?
    let consent: Consent
    let listsResultSchemas: Bool
    let lspInitializeResult: JSONFragment?
    let client: ClientState
    let requestStates: RequestStateCodec
    let makeIdempotencyKey: @Sendable () -> String

    /// Creates a server for one connection.
    ///
    /// - Parameters:
    ///   - serverInfo: The name and version that the server reports.
    ///   - instructions: Instructions to the model on how to use the tools; nil for none.
    ///   - tools: The tools that a model can call.
    ///   - resources: The resources that clients can read.
    ///   - templates: The resources whose URIs contain a variable.
    ///   - prompts: The prompts that users can select.
    ///   - subscriptions: Notifies the client of changed resources; nil if the resources do not
    ///     change. Subscriptions are offered only if it is not nil.
    ///   - consent: When to ask the user before a tool is called.
    ///   - listsResultSchemas: Whether the list of tools contains the schemas of their results
    ///     (``Tool/resultSchema(naming:)``). They make it several times as long.
    ///   - makeIdempotencyKey: Returns a unique key for a call that asks the user first; nil for
    ///     random keys.
    ///   - lspInitializeResult: The result of an `initialize` from a client of the Language Server
    ///     Protocol (`ServerInfo.lspInitializeResult(methods:)`); nil to reject it.
    public init(
        serverInfo: Implementation,
        instructions: String? = nil,
        tools: [Tool] = [],
        resources: [Resource] = [],
        templates: [ResourceTemplate] = [],
        prompts: [Prompt] = [],
        subscriptions: ResourceSubscriptions? = nil,
        consent: Consent = Consent(),
        listsResultSchemas: Bool = false,
        makeIdempotencyKey: (@Sendable () -> String)? = nil,
        lspInitializeResult: JSONFragment? = nil
    ) {
        self.serverInfo = serverInfo
        self.instructions = instructions
        client = ClientState(serverInfo)
        self.tools = tools
        toolsByName = Dictionary(tools.map { ($0.name, $0) }) { first, _ in first }
        toolNames = ToolNames(ofMethods: tools.map(\.method.name))
        self.resources = resources
        self.templates = templates
        self.prompts = prompts
        self.subscriptions = subscriptions
        self.consent = consent
        self.listsResultSchemas = listsResultSchemas
        self.lspInitializeResult = lspInitializeResult
        requestStates = RequestStateCodec(now: consent.now)
        self.makeIdempotencyKey = makeIdempotencyKey ?? Self.makeRandomKey
    }

    /// Creates a connection to a client. Its `run()` serves the client until the input ends.
    ///
    /// For a connection that also has other methods, such as those for an editor, create a
    /// `Connection` whose method table has ``methods`` and `ProtocolExtension.mcp`.
    ///
    /// - Parameters:
    ///   - transport: The transport to the client.
    ///   - observer: Learns about messages and calls. The observer sees a call of any tool as a
    ///     call of the method `tools/call`.
    public func makeConnection(
        over transport: Transport,
        observer: (any CallObserver)? = nil
    ) -> Connection {
        Connection(
            over: transport,
            table: MethodTable(methods, extensions: [.mcp]),
            info: ServerInfo(name: serverInfo.name, version: serverInfo.version),
            observer: observer
        )
    }

    /// The methods of the offered features.
    public var methods: [Method] {
        lifecycleMethods + toolMethods + resourceMethods + subscriptionMethods + promptMethods
            + completionMethods
    }

    var offersResources: Bool { !resources.isEmpty || !templates.isEmpty }
    var offersSubscriptions: Bool { offersResources && subscriptions != nil }
    var offersCompletions: Bool {
        templates.contains { $0.complete != nil }
            || prompts.contains { $0.arguments.contains { $0.complete != nil } }
    }

    private static func makeRandomKey() -> String {
        Base64.encodeURL((0..<16).map { _ in UInt8.random(in: 0...255) })
    }

    /// The tool with this name, or of the method with this name: models confuse the two.
    func tool(named name: String) -> Tool? {
        toolsByName[name] ?? toolsByName[Tool.name(ofMethod: name)]
    }

    func context(of call: Call) throws(RPCError) -> RequestContext {
        try RequestContext(call, handshake: client.handshake)
    }

    /// Makes a method of the protocol. It accepts unknown parameters, because newer clients may
    /// send them.
    ///
    /// - Parameter withHandshake: True if only revisions with a handshake have the method, false if
    ///   only those without a handshake have it, and nil if all have it.
    func method(
        _ name: String,
        withHandshake: Bool? = nil,
        _ handler:
            @escaping @Sendable (Call, RequestContext) async throws(RPCError) -> ObjectFragment
    ) -> Method {
        var method = Method(
            name,
            "Defined by MCP.",
            result: .init("result", "defined by MCP"),
            data: Self.session
        ) { call throws(RPCError) in
            let context = try context(of: call)
            if let withHandshake, withHandshake != context.revision.hasHandshake {
                throw .methodNotFound(name)
            }
            do throws(RPCError) {
                return try await handler(call, context).fragment
            } catch {
                throw toolNames.replacingMethods(in: error)
            }
        }
        method.acceptsUnknownParameters = true
        return method
    }

    /// The state of the client, which `initialize` changes.
    static let session = DataAccess(reads: ["mcp.session"])
}
