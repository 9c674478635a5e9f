import JSON
import Testing

@testable import JSONRPC
@testable import MCP

@Suite("Whether a tool call is a change")
struct ToolEffectTests {
    private static let elicits = #"{"elicitation":{}}"#
    private static let newest = Client.meta("2026-07-28", capabilities: elicits)

    /// The effect of a call with these params, on a connection whose handshake offered elicitation.
    private func effect(_ params: String, canElicit: Bool = true) throws -> Method.CallEffect {
        let server = TestServer.makeServer(onSubscription: {})
        server.client.recordHandshake(.v2025_06_18, canElicit: canElicit)
        let method = try #require(server.methods.first { $0.name == "tools/call" })
        let given = try JSONDocument(parsing: Array("{\(params)}".utf8)).root
        let call = Call(
            params: try Params(given, for: method, ignoring: ["_meta"]),
            rawParams: given,
            id: nil,
            peer: Peer(send: { _ in }, outgoing: OutgoingRequests(idPrefix: "")),
            progress: nil,
            queue: CallQueue(limits: RPCLimits(), backpressure: OutputBackpressure(limit: 1))
        )
        return method.effect(of: call)
    }

    private let act = #""name":"things_act","arguments":{"what":"jump"}"#

    @Test("a tool that reads, or does not exist, is none")
    func reads() throws {
        #expect(try effect(#""name":"things_echo","arguments":{"text":"a"}"#) == .reads)
        #expect(try effect(#""name":"unknown""#) == .reads)
        #expect(try effect(#""name":"things_act","arguments":{}"#) == .reads)
    }

    @Test("a tool that asks no one is one from its start")
    func unasked() throws {
        #expect(try effect(act, canElicit: false) == .changes)
    }

    @Test("a tool that asks with a request is one after the answer")
    func asked() throws {
        #expect(try effect(act) == .changesLater)
    }

    @Test("a tool that asks in its result is one in the request with the answer")
    func askedAcrossRequests() throws {
        #expect(try effect("\(act),\(Self.newest)") == .reads)
        #expect(try effect(#"\#(act),\#(Self.newest),"requestState":"x""#) == .changes)
    }

    @Test("a tool that may change something decides by its arguments")
    func decided() throws {
        let name = #""name":"things_maybeChange""#
        #expect(try effect(#"\#(name),"arguments":{}"#, canElicit: false) == .reads)
        #expect(try effect(#"\#(name),"arguments":{"change":"x"}"#, canElicit: false) == .changes)
    }
}
