import JSON
import JSONRPCTestSupport
import Synchronization
import Testing

@testable import JSONRPC

/// The test is the server: it sends and receives text.
@Suite("Calling the peer", .timeLimit(.minutes(10)))
struct CallingThePeerTests {
    private let server: RawConnection
    private let logged = Log()
    private var peer: Peer { server.connection.peer }

    init() throws {
        let logged = logged
        server = try RawConnection { transport in
            Connection(over: transport, framing: .lines, log: { logged.add($0) })
        }
    }

    private func respond(_ id: String, _ members: String) {
        server.send(#"{"jsonrpc":"2.0","id":\#(id),\#(members)}"# + "\n")
    }

    /// Waits for a request, and responds to it.
    private func answer(_ id: String, _ members: String) async -> String? {
        let request = await server.line()
        respond(id, members)
        return request
    }

    private func error(of call: Task<JSONValue, any Error>) async -> RPCError? {
        switch await call.result {
        case .success: nil
        case .failure(let error): error as? RPCError
        }
    }

    private func call(timeout: Duration? = nil) -> Task<JSONValue, any Error> {
        Task { [peer] in try await peer.call("wait", timeout: timeout) }
    }

    @Test("sends a request with a number as its id, and returns the result")
    func result() async throws {
        async let sum = peer.call("add", JSONFragment(trusted: Array("[1,2]".utf8)))
        let request = await answer("1", #""result":3"#)
        #expect(request == #"{"jsonrpc":"2.0","id":1,"method":"add","params":[1,2]}"#)
        #expect(try await sum.integer() == 3)
        async let pong = peer.call("ping")
        let withoutParams = await answer("2", #""result":null"#)
        #expect(withoutParams == #"{"jsonrpc":"2.0","id":2,"method":"ping"}"#)
        #expect(try await pong.isNull)
        server.endInput()
    }

    @Test("throws the error of the response, with its data")
    func rejected() async {
        let call = call()
        _ = await answer("1", #""error":{"code":7,"message":"no","data":[1]}"#)
        let data = JSONFragment(trusted: Array("[1]".utf8))
        #expect(await error(of: call) == RPCError(code: 7, message: "no", data: data))
        server.endInput()
    }

    @Test("a response with a result and a null error is a result")
    func nullError() async throws {
        let call = call()
        _ = await answer("1", #""result":true,"error":null"#)
        #expect(try await call.value.bool())
        server.endInput()
    }

    @Test("responses without an id, with an unknown id, or with an answered id are ignored")
    func unexpected() async throws {
        let first = call()
        _ = await answer("1", #""result":1"#)
        #expect(try await first.value.integer() == 1)
        let second = call()
        _ = await server.line()
        for id in ["1", "3", "\"2\"", "null", "2.5", "[2]"] { respond(id, #""result":0"#) }
        server.send(#"{"jsonrpc":"2.0","result":0}"# + "\n")
        respond("2", #""result":2"#)
        #expect(try await second.value.integer() == 2)
        server.endInput()
        #expect(await server.rest().isEmpty)
    }

    @Test("a call that times out is cancelled, and its response is ignored")
    func timeout() async throws {
        let call = call(timeout: .milliseconds(1))
        _ = await server.line()
        #expect(await error(of: call) == .timedOut)
        let cancellation = #"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1}}"#
        #expect(await server.line() == cancellation)
        respond("1", #""result":0"#)
        let next = self.call(timeout: .seconds(60))
        _ = await answer("2", #""result":2"#)
        #expect(try await next.value.integer() == 2)
        server.endInput()
    }

    @Test("if its task is cancelled, the other side is notified after the request")
    func cancelled() async {
        let call = call()
        let request = await server.line()
        call.cancel()
        #expect(await error(of: call) == .requestCancelled)
        #expect(request?.contains(#""method":"wait""#) == true)
        #expect(await server.line()?.contains(#""$/cancelRequest","params":{"id":1}"#) == true)
        server.endInput()
    }

    @Test("in a cancelled task, nothing is sent")
    func cancelledBefore() async {
        let call = Task { [peer] in
            withUnsafeCurrentTask { $0?.cancel() }
            return try await peer.call("never")
        }
        #expect(await error(of: call) == .requestCancelled)
        peer.notify("next")
        #expect(await server.line() == #"{"jsonrpc":"2.0","method":"next"}"#)
        server.endInput()
    }

    @Test("when the connection ends, waiting and later calls fail")
    func ended() async {
        let waiting = call()
        _ = await server.line()
        server.endInput()
        #expect(await error(of: waiting) == .connectionEnded)
        #expect(await error(of: call()) == .connectionEnded)
        #expect(await server.terminationReason() == .endOfInput)
    }

    @Test("a client has no lifecycle, and logs input that is not a message")
    func clientOnly() async throws {
        server.send("Starting the server ...\n")
        server.send(#"{"id":1,"result":2}"# + "\n")
        server.send(#"{"jsonrpc":"2.0","method":"exit"}"# + "\n")
        for name in ["initialize", "shutdown"] {
            server.send(#"{"jsonrpc":"2.0","id":"a","method":"\#(name)"}"# + "\n")
            #expect(await server.line()?.contains("-32601") == true)
        }
        #expect(logged.lines.count == 2)
        #expect(logged.lines.first?.contains("Parse error") == true)
        #expect(logged.lines.last?.contains("Invalid request") == true)
        server.endInput()
        #expect(await server.rest().isEmpty)
    }
}

/// The lines that a connection logged.
private final class Log: Sendable {
    private let state = Mutex<[String]>([])

    var lines: [String] { state.withLock(\.self) }

    func add(_ line: String) { state.withLock { $0.append(line) } }
}
