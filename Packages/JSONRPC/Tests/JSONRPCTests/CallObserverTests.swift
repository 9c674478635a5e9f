import JSON
import JSONRPC
import Synchronization
import Testing

@Suite("An observer of a connection", .timeLimit(.minutes(10)))
struct CallObserverTests {
    /// Records what it learns, without durations.
    private final class Recorder: CallObserver {
        private let state = Mutex<(handled: [String], called: [String], messages: [String])>(
            ([], [], [])
        )

        var handled: [String] { state.withLock(\.handled) }
        var called: [String] { state.withLock(\.called) }
        var messages: [String] { state.withLock(\.messages) }

        private static func text(_ call: CompletedCall) -> String {
            "\(call.method) \(call.error?.code ?? 0)"
        }

        func didHandle(_ call: CompletedCall) {
            state.withLock { $0.handled.append(Self.text(call)) }
        }

        func didCall(_ call: CompletedCall) {
            state.withLock { $0.called.append(Self.text(call)) }
        }

        func didReceive(_ message: [UInt8]) {
            state.withLock { $0.messages.append("--> " + String(decoding: message, as: UTF8.self)) }
        }

        func didSend(_ message: [UInt8]) {
            state.withLock { $0.messages.append("<-- " + String(decoding: message, as: UTF8.self)) }
        }
    }

    private static let info = ServerInfo(name: "test", version: "1")

    /// Runs `body` with a client of a server that has this observer.
    private func run(
        _ observer: some CallObserver,
        client clientObserver: Recorder = Recorder(),
        gate: Gate = Gate(),
        _ body: (Peer) async throws -> Void
    ) async throws {
        let (one, other) = try Transport.makePair()
        let client = Connection(over: one, framing: .lines, observer: clientObserver)
        let server = Connection(
            over: other,
            table: TestMethods.make(gate),
            info: Self.info,
            observer: observer
        )
        let (_, serverRun) = (client.start(), server.start())
        try await body(client.peer)
        client.stop()
        _ = await serverRun.value
    }

    @Test("learns the method and the error of each call before the caller gets the reply")
    func calls() async throws {
        let (server, client) = (Recorder(), Recorder())
        try await run(server, client: client) { peer in
            _ = try await peer.call("ping")
            #expect(server.handled == ["ping 0"] && client.called == ["ping 0"])
            await #expect(throws: RPCError.self) { try await peer.call("echo") }
            await #expect(throws: RPCError.self) { try await peer.call("unknown") }
            _ = try await peer.call("shutdown")
            #expect(server.handled.dropFirst() == ["echo -32602", "unknown -32601", "shutdown 0"])
        }
        #expect(client.called == server.handled && client.handled.isEmpty && server.called.isEmpty)
    }

    @Test("learns each call of a batch, and notifications that are handled")
    func batch() async throws {
        let (server, client) = (Recorder(), Recorder())
        try await run(server, client: client) { peer in
            _ = await peer.batch([.call("ping"), .notification("ping"), .call("unknown")])
            _ = try await peer.call("ping")
        }
        #expect(client.called == ["ping 0", "unknown -32601", "ping 0"])
        #expect(server.handled.sorted() == ["ping 0", "ping 0", "ping 0", "unknown -32601"])
    }

    @Test("learns that a handler was cancelled")
    func cancellation() async throws {
        let (server, gate) = (Recorder(), Gate())
        try await run(server, gate: gate) { peer in
            let call = Task { try await peer.call("stopsClean") }
            await gate.arrival()
            call.cancel()
            await #expect(throws: RPCError.requestCancelled) { try await call.value }
        }
        #expect(server.handled == ["stopsClean -32800"])
    }

    @Test("sees each message in both directions")
    func messages() async throws {
        let server = Recorder()
        try await run(server) { peer in _ = try await peer.call("ping") }
        let request = #"--> {"jsonrpc":"2.0","id":1,"method":"ping"}"#
        #expect(server.messages == [request, #"<-- {"jsonrpc":"2.0","id":1,"result":null}"#])
    }

    @Test("can be a logger with metrics")
    func logger() async throws {
        let lines = Mutex<[String]>([])
        let logger = Logger { line in lines.withLock { $0.append(line) } }
        try await run(CallLogger(logger: logger)) { peer in
            _ = try await peer.call("counted")
            await #expect(throws: RPCError.self) { try await peer.call("observed") }
        }
        #expect(lines.withLock(\.self) == ["observed: Method not found: observed; ask a colleague"])
        #expect(Timer.recorded.withLock(\.self).isSuperset(of: ["counted", "observed"]))
    }
}
