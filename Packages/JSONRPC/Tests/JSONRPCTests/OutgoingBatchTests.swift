import JSON
import JSONRPC
import JSONRPCTestSupport
import Testing

/// The test is the server: it sends and receives text.
@Suite("Batches of calls", .timeLimit(.minutes(10)))
struct OutgoingBatchTests {
    private let server: RawConnection
    private var peer: Peer { server.connection.peer }

    init() throws { server = try RawConnection { Connection(over: $0, framing: .lines) } }

    private func respond(_ id: Int, _ members: String) -> String {
        #"{"jsonrpc":"2.0","id":\#(id),\#(members)}"#
    }

    @Test("are one message, and the results have the order of the calls")
    func results() async throws {
        let params = JSONFragment(trusted: Array("[1]".utf8))
        async let results = peer.batch([
            .call("a", params), .notification("b", params), .call("c"), .notification("d"),
        ])
        let batch =
            #"[{"jsonrpc":"2.0","id":1,"method":"a","params":[1]},"#
            + #"{"jsonrpc":"2.0","method":"b","params":[1]},"#
            + #"{"jsonrpc":"2.0","id":2,"method":"c"},{"jsonrpc":"2.0","method":"d"}]"#
        #expect(await server.line() == batch)
        let failure = respond(2, #""error":{"code":7,"message":"no"}"#)
        server.send("[\(failure),\(respond(1, #""result":1"#))]\n")
        let received = await results
        try #require(received.count == 2)
        #expect(try received[0].get().integer() == 1)
        #expect(throws: RPCError(code: 7, message: "no")) { try received[1].get() }
        server.endInput()
    }

    @Test("may be answered in several messages")
    func separateResponses() async throws {
        async let results = peer.batch([.call("a"), .call("b")])
        _ = await server.line()
        server.send(respond(2, #""result":2"#) + "\n")
        server.send("[" + respond(1, #""result":1"#) + "]\n")
        #expect(try await results.map { try $0.get().integer() } == [1, 2])
        server.endInput()
    }

    @Test("keep the results that arrived before a cancellation, which names the other calls")
    func cancelled() async throws {
        let batch = Task { [peer] in await peer.batch([.call("a"), .call("b")]) }
        _ = await server.line()
        server.send(respond(1, #""result":1"#) + "\n")
        // The reply to this request shows that the response before it was received.
        server.send(#"{"jsonrpc":"2.0","id":0,"method":"unknown"}"# + "\n")
        _ = await server.line()
        batch.cancel()
        let cancellation = #"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":2}}"#
        #expect(await server.line() == cancellation)
        let received = await batch.value
        #expect(try received.first?.get().integer() == 1)
        #expect(throws: RPCError.requestCancelled) { try received.last?.get() }
        server.endInput()
        #expect(await server.rest().isEmpty)
    }

    @Test("time out together")
    func timeout() async {
        let received = await peer.batch([.call("a"), .call("b")], timeout: .milliseconds(1))
        for result in received { #expect(throws: RPCError.timedOut) { try result.get() } }
        #expect(received.count == 2)
        server.endInput()
    }

    @Test("of notifications get no response, and an empty one is not sent")
    func noCalls() async {
        #expect(await peer.batch([]).isEmpty)
        #expect(await peer.batch([.notification("a")]).isEmpty)
        #expect(await server.line() == #"[{"jsonrpc":"2.0","method":"a"}]"#)
        server.endInput()
    }
}
