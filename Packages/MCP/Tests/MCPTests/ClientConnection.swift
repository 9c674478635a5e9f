import JSON
import JSONRPC

@testable import MCP

/// An ``MCPClient`` and its server, connected in this process.
struct ClientConnection {
    static let info = Implementation(name: "client", version: "1")

    let client: MCPClient
    private let server: Connection

    /// Connects to a server with these methods.
    init(
        _ methods: [Method],
        revision: Revision? = nil,
        elicit: MCPClient.Elicit? = nil
    ) async throws {
        let (near, far) = try Transport.makePair()
        server = Connection(
            over: far,
            table: MethodTable(methods, extensions: [.mcp]),
            info: ServerInfo(name: "test", version: "1")
        )
        server.start()
        client = try await MCPClient.connect(
            over: near,
            clientInfo: Self.info,
            revision: revision,
            elicit: elicit
        )
    }

    /// Connects to a ``TestServer``.
    init(
        revision: Revision?,
        subscriptions: ResourceSubscriptions = ResourceSubscriptions(),
        elicit: MCPClient.Elicit? = nil
    ) async throws {
        let methods = TestServer.makeServer(subscriptions).methods
        try await self.init(methods, revision: revision, elicit: elicit)
    }

    /// Ends the connection at the server's end.
    func stopServer() { server.stop() }
}

/// Methods of servers that behave in unusual ways.
enum FakeServer {
    /// A method that returns `result` as it is.
    static func method(
        _ name: String,
        _ result: @escaping @Sendable (Call) async throws(RPCError) -> String
    ) -> Method {
        var method = Method(name, "Fake.", result: .init("result", "fake")) {
            call throws(RPCError) in
            JSONFragment(trusted: Array(try await result(call).utf8))
        }
        method.acceptsUnknownParameters = true
        return method
    }

    /// `initialize` with these capabilities.
    static func initialize(_ capabilities: String = "{}", revision: String = "2025-11-25") -> Method
    {
        method("initialize") { _ in
            let info = #""serverInfo":{"name":"fake","version":"2"}"#
            return #"{"protocolVersion":"\#(revision)","capabilities":\#(capabilities),\#(info)}"#
        }
    }

    /// `server/discover` with these capabilities.
    static func discover(_ capabilities: String = "{}", revision: String = "2026-07-28") -> Method {
        method("server/discover") { _ in
            #"{"supportedVersions":["\#(revision)"],"capabilities":\#(capabilities)}"#
        }
    }
}
