import JSON
import JSONRPC
import Synchronization
import Testing

@Suite("Notifications", .timeLimit(.minutes(10)))
struct NotificationTests {
    private struct Step: Codable { var number: Int }

    private struct Failure: Error, CustomStringConvertible { let description = "a failure" }

    /// What the handler and the log of a server received.
    private final class Received: Sendable {
        private let state = Mutex((numbers: [Int](), lines: [String]()))

        var numbers: [Int] { state.withLock(\.numbers) }
        var lines: [String] { state.withLock(\.lines) }

        func add(number: Int) { state.withLock { $0.numbers.append(number) } }
        func add(line: String) { state.withLock { $0.lines.append(line) } }
    }

    private let received = Received()

    /// Sends notifications to a server, and waits until it has handled them.
    private func send(
        _ params: [String],
        _ handler: @escaping @Sendable (Int, Call) async throws -> Void
    ) async throws {
        let step = Method(
            notification: "step",
            "Receives a step.",
            parameters: [.init("number", "its number", isRequired: true, schema: .any)]
        ) { call in try await handler(call.params.decode(Step.self).number, call) }
        let ping = Method("ping", "returns null", result: .init("result", "null")) {
            _ in .null
        }
        let (one, other) = try Transport.makePair()
        let client = Connection(over: one, table: MethodTable([ping]), framing: .lines)
        let server = Connection(
            over: other,
            table: MethodTable([step, ping]),
            info: ServerInfo(name: "test", version: "1"),
            log: { [received] in received.add(line: $0) }
        )
        client.start()
        let serverRun = server.start()
        for text in params {
            client.peer.notify("step", JSONFragment(trusted: Array(text.utf8)))
        }
        try client.peer.notify("unknown", Step(number: 1))
        #expect(throws: RPCError.self) { try client.peer.notify("unknown", [Double.nan]) }
        // A call waits for earlier changes.
        #expect(try await client.peer.call("ping").isNull)
        client.stop()
        _ = await serverRun.value
    }

    @Test("are handled in the order of their arrival, before later calls")
    func order() async throws {
        try await send((0..<10).map { #"{"number":\#($0)}"# }) { [received] number, call in
            // The first one takes longer than the others.
            if number == 0 { _ = try await call.peer.call("ping") }
            received.add(number: number)
        }
        #expect(received.numbers == Array(0..<10))
        #expect(received.lines.isEmpty)
    }

    @Test("accept unknown parameters, and positional ones if the method declares them")
    func parameters() async throws {
        try await send([#"{"number":1,"other":2}"#, "[3]"]) { [received] number, _ in
            received.add(number: number)
        }
        #expect(received.numbers == [1, 3])
    }

    @Test("that are immediate are handled before a later response")
    func immediate() async throws {
        let received = received
        let step = Method(immediateNotification: "step", "Receives a step.") { params in
            let number = try? params?.object()["number"]?.integer()
            if let number { received.add(number: number) }
        }
        let count = Method("count", "sends steps", result: .init("result", "null")) {
            call in
            for number in 1...50 {
                call.peer.notify("step", JSONFragment { $0.object { $0.member("number", number) } })
            }
            return .null
        }
        let (one, other) = try Transport.makePair()
        let client = Connection(over: one, table: MethodTable([step]), framing: .lines)
        let info = ServerInfo(name: "test", version: "1")
        let server = Connection(over: other, table: MethodTable([count]), info: info)
        client.start()
        let serverRun = server.start()
        for round in 1...20 {
            _ = try await client.peer.call("count")
            #expect(received.numbers.count == 50 * round)
        }
        client.stop()
        _ = await serverRun.value
    }

    @Test("that fail are logged, because they have no reply")
    func failures() async throws {
        let params = [#"{"number":"one"}"#, "{}", #"{"number":1}"#, #"{"number":2}"#]
        try await send(params) { number, _ in
            if number == 1 { throw Failure() }
            throw CancellationError()
        }
        let start = #"the notification "step" failed: "#
        let expected = [
            #"Invalid params: "number" is missing: its number"#,
            "Invalid params: number must be an integer",
            "Internal error: a failure",
        ]
        #expect(Set(received.lines) == Set(expected.map { start + $0 }))
    }
}
