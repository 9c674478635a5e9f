import JSON
import Testing

@testable import JSONRPC
@testable import MCP

@Suite("The effect of a tool call")
struct ToolEffectTests {
    private static let elicits = #"{"elicitation":{}}"#
    private static let newest = Client.meta("2026-07-28", capabilities: elicits)

    /// The effect of a `tools/call` with these params, after a handshake with or without
    /// elicitation.
    private func effect(_ params: String, canElicit: Bool = true) throws -> Method.CallEffect {
        let server = TestServer.makeServer()
        server.client.recordHandshake(.v2025_06_18, canElicit: canElicit)
        let method = try #require(server.methods.first { $0.name == "tools/call" })
        let rawParams = try JSONDocument(parsing: Array("{\(params)}".utf8)).root
        let call = Call(
            params: try Params(rawParams, for: method, ignoring: ["_meta"]),
            rawParams: rawParams,
            id: nil,
            peer: .disconnected,
            progress: nil,
            queue: CallQueue(limits: RPCLimits(), backpressure: OutputBackpressure(limit: 1))
        )
        return method.effect(of: call)
    }

    private let act = #""name":"things_act","arguments":{"what":"jump"}"#

    @Test("reads, if the tool reads or does not exist, or the arguments are invalid")
    func reads() throws {
        #expect(try effect(#""name":"things_echo","arguments":{"text":"a"}"#) == .reads)
        #expect(try effect(#""name":"unknown""#) == .reads)
        #expect(try effect(#""name":"things_act","arguments":{}"#) == .reads)
    }

    @Test("changes, if the client cannot ask the user")
    func unasked() throws {
        #expect(try effect(act, canElicit: false) == .changes)
    }

    @Test("changes later, if the server sends a request to ask the user")
    func asked() throws {
        #expect(try effect(act) == .changesLater)
    }

    @Test("reads, if the result asks the user; then changes, when the client repeats the call")
    func askedAcrossRequests() throws {
        #expect(try effect("\(act),\(Self.newest)") == .reads)
        #expect(try effect(#"\#(act),\#(Self.newest),"requestState":"x""#) == .changes)
    }

    @Test("depends on the arguments, if the method determines its effect")
    func decided() throws {
        let name = #""name":"things_maybeChange""#
        #expect(try effect(#"\#(name),"arguments":{}"#, canElicit: false) == .reads)
        #expect(try effect(#"\#(name),"arguments":{"change":"x"}"#, canElicit: false) == .changes)
    }
}
