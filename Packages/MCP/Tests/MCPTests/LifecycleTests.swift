import JSONRPC
import JSONRPCTestSupport
import Testing

@testable import MCP

@Suite("Revisions", .timeLimit(.minutes(10)))
struct LifecycleTests {
    @Test("the handshake accepts every revision that has one", arguments: Revision.allCases)
    func handshake(revision: Revision) async throws {
        let client = try Client()
        let reply = try await client.initialize(revision.rawValue)
        let expected = revision.hasHandshake ? revision : .newestWithHandshake
        #expect(reply.string("result", "protocolVersion") == expected.rawValue)
        #expect(reply["result", "serverInfo", "name"] == "\"test\"")
        #expect((reply["result", "serverInfo", "title"] != nil) == expected.hasTitles)
        #expect((reply["result", "serverInfo", "icons"] != nil) == expected.hasIcons)
        #expect((reply["result", "capabilities", "completions"] != nil) == expected.hasCompletions)
        #expect(reply["result", "resultType"] == nil)
        client.connection.endInput()
    }

    @Test("a handshake with an unknown revision selects the newest revision with a handshake")
    func unknownRevision() async throws {
        let client = try Client()
        let reply = try await client.initialize("1999-01-01")
        #expect(reply.string("result", "protocolVersion") == "2025-11-25")
        client.connection.endInput()
    }

    @Test("an initialize without a revision is an LSP initialize")
    func languageServerInitialize() async throws {
        let client = try Client()
        let reply = try await client.request("initialize", #""processId":null,"capabilities":{}"#)
        #expect(reply["result", "serverInfo", "name"] == "\"lsp\"")
        client.connection.endInput()
    }

    @Test(
        "discovery lists the revisions without a handshake, and how long to cache the result"
    )
    func discover() async throws {
        let client = try Client()
        let reply = try await client.request("server/discover", Client.newest)
        #expect(reply["result", "supportedVersions"] == #"["2026-07-28"]"#)
        #expect(reply["result", "resultType"] == "\"complete\"")
        #expect(reply["result", "cacheScope"] == "\"public\"")
        #expect(reply["result", "ttlMs"] == "3600000")
        let server = "io.modelcontextprotocol/serverInfo"
        #expect(reply["result", "_meta", server, "icons", "0", "src"]?.contains("data:") == true)
        client.connection.endInput()
    }

    @Test("a revision in a request overrides the handshake")
    func bothGenerations() async throws {
        let client = try Client()
        _ = try await client.initialize("2024-11-05")
        let older = try await client.request("tools/list")
        #expect(
            older["result", "resultType"] == nil && older["result", "tools", "0", "title"] == nil
        )
        let newer = try await client.request("tools/list", Client.newest)
        #expect(newer["result", "resultType"] == "\"complete\"")
        #expect(newer["result", "tools", "0", "title"] == "\"Echo\"")
        // Only discovery includes icons.
        let server = "io.modelcontextprotocol/serverInfo"
        #expect(newer["result", "_meta", server, "name"] == "\"test\"")
        #expect(newer["result", "_meta", server, "icons"] == nil)
        client.connection.endInput()
    }

    @Test("a request with an unsupported revision is -32022, with a list of supported ones")
    func unsupported() async throws {
        let client = try Client()
        let meta = Client.meta("2031-01-01", capabilities: "{}")
        let reply = try await client.request("tools/list", meta)
        #expect(reply["error", "code"] == "-32022")
        #expect(reply["error", "data", "supported"] == #"["2026-07-28"]"#)
        #expect(reply["error", "data", "requested"] == "\"2031-01-01\"")
        client.connection.endInput()
    }

    @Test("a request with a revision but without capabilities is -32602")
    func incompleteMeta() async throws {
        let client = try Client()
        let meta = #""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}"#
        #expect(try await client.request("tools/list", meta)["error", "code"] == "-32602")
        client.connection.endInput()
    }

    @Test("methods that the newest revision added do not exist in the older ones")
    func addedMethods() async throws {
        let client = try Client()
        let wanted = #""notifications":{"resourceSubscriptions":["test://one"]}"#
        for method in ["server/discover", "subscriptions/listen"] {
            let reply = try await client.request(method, wanted)
            #expect(reply["error", "code"] == "-32601", "\(method)")
        }
        client.connection.endInput()
    }

    @Test("methods removed in the newest revision still work in the older ones")
    func removedMethods() async throws {
        let client = try Client()
        #expect(try await client.request("ping")["result"] == "{}")
        #expect(try await client.request("ping", Client.newest)["error", "code"] == "-32601")
        let uri = #""uri":"test://one""#
        #expect(try await client.request("resources/subscribe", uri)["result"] == "{}")
        let handshake = #""protocolVersion":"2025-11-25","capabilities":{}"#
        for (method, params) in [
            ("resources/subscribe", uri), ("resources/unsubscribe", uri), ("initialize", handshake),
        ] {
            let reply = try await client.request(method, params, Client.newest)
            #expect(reply["error", "code"] == "-32601", "\(method)")
        }
        client.connection.endInput()
    }
}
