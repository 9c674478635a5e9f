import JSON
import JSONRPC
import JSONRPCTestSupport
import Testing

@Suite("Two connections to each other", .timeLimit(.minutes(10)))
struct ConnectionPairTests {
    private static let info = ServerInfo(name: "test", version: "1")

    private let result = Method.Result("result", "anything")

    @Test(
        "call each other's methods, even while they handle a call",
        arguments: [FramingMode.lines, .headers]
    )
    func bothDirections(framing: FramingMode) async throws {
        let (one, other) = try Transport.makePair()
        let answer = Method("question", "answers", result: result) { _ in
            JSONFragment { $0.string("yes") }
        }
        let client = Connection(over: one, table: MethodTable([answer]), framing: framing)
        let server = Connection(over: other, table: TestMethods.make(Gate()), info: Self.info)
        let (clientRun, serverRun) = (client.start(), server.start())
        #expect(try await client.peer.call("ask").string() == "yes")
        client.stop()
        #expect(await clientRun.value == .stopped)
        #expect(await serverRun.value == .endOfInput)
    }

    @Test("cancel the handler of a call whose caller is cancelled")
    func cancellation() async throws {
        let (one, other) = try Transport.makePair()
        let gate = Gate()
        let client = Connection(over: one, framing: .lines)
        let server = Connection(over: other, table: TestMethods.make(gate), info: Self.info)
        let (_, serverRun) = (client.start(), server.start())
        let call = Task { try await client.peer.call("wait") }
        await gate.arrival()
        call.cancel()
        await gate.cancellation()
        await #expect(throws: RPCError.requestCancelled) { try await call.value }
        client.stop()
        _ = await serverRun.value
    }

    @Test("never wait for each other to read, however many calls wait")
    func manyCalls() async throws {
        let (one, other) = try Transport.makePair()
        var limits = RPCLimits()
        // Any unwritten byte exceeds it. The replies, most of which reject a call, are more than the
        // sockets hold.
        limits.maximumQueuedBytes = 1
        let client = Connection(over: one, framing: .lines, limits: limits)
        let server = Connection(
            over: other,
            table: TestMethods.make(Gate()),
            info: Self.info,
            limits: limits
        )
        let (_, serverRun) = (client.start(), server.start())
        let text = String(repeating: "x", count: 4 << 10)
        let params = JSONFragment.object { $0.member("value", text) }
        let answered = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<3_000 {
                group.addTask {
                    do throws(RPCError) {
                        return try await client.peer.call("echo", params).kind == .string
                    } catch {
                        return error == .overloaded
                    }
                }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(answered == 3_000)
        client.stop()
        _ = await serverRun.value
    }

    @Test("are released after they have ended")
    func released() async throws {
        let (one, other) = try Transport.makePair()
        weak var released: Connection?
        do {
            let client = Connection(over: one, framing: .lines)
            let server = Connection(over: other, table: TestMethods.make(Gate()), info: Self.info)
            let (clientRun, serverRun) = (client.start(), server.start())
            _ = try await client.peer.call("ping")
            client.stop()
            _ = (await clientRun.value, await serverRun.value)
            released = client
        }
        // The reading thread holds the connection until it ends.
        while released != nil { await Task.yield() }
    }
}
