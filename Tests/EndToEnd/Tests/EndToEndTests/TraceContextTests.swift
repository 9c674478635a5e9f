import JSON
import Synchronization
import SystemTestSupport
import Testing

/// `TraceContextTests` of WebPrimitives has the values that are invalid.
@Suite("The trace context of a call", .throttled, .timeLimit(.minutes(10)))
struct TraceContextTests {
    /// A server that has empty lists, and records the requests.
    private final class Server: Sendable {
        private let server: LoopbackServer
        private let received: AsyncStream<ReceivedRequest>
        var url: String { server.url }

        /// Redirects the request for the path `/moved` to `target`.
        init(redirectingTo target: String = "") throws {
            let (stream, continuation) = AsyncStream.makeStream(of: ReceivedRequest.self)
            received = stream
            server = try LoopbackServer(isRecording: false) { exchange in
                let request = ReceivedRequest(exchange)
                continuation.yield(request)
                switch request.path {
                case "/salons": exchange.reply("200 OK", body: #"{"salons":[]}"#)
                case "/feed": exchange.reply("200 OK", body: #"{"items":[]}"#)
                case "/moved": exchange.reply("302 Found", headers: ["Location: \(target)"])
                default: exchange.reply("404 Not Found")
                }
            }
        }

        /// The next request.
        func next() async throws -> ReceivedRequest {
            for await request in received { return request }
            throw CancellationError()
        }

        /// The trace context of the next request.
        func nextTrace() async throws -> [String?] { try await next().trace }
    }

    private static let parents = (1...3).map {
        "00-0af7651916cd43dd8448eb211c80319\($0)-b7ad6b7169203331-01"
    }

    private static func meta(_ parent: String, _ more: String = "") -> String {
        #""_meta":{"traceparent":"\#(parent)"\#(more)}"#
    }

    @Test(
        "is sent with its requests, unchanged and without baggage, over JSON-RPC and over MCP",
        arguments: [false, true]
    )
    func sent(isMCP: Bool) async throws {
        let server = try Server()
        let client = try Novablend(["--base-url", server.url])
        let meta = Self.meta(
            Self.parents[0],
            #","tracestate":"a=1, b=2","baggage":"user=ada""#
        )
        let tool = #""name":"salons_list","arguments":{"policy":"serverOnly"}"#
        let plain = #""policy":"serverOnly""#
        func call(_ meta: String) async throws {
            let method = isMCP ? "tools/call" : "salons/list"
            _ = try await client.result(method, "{\(isMCP ? tool : plain)\(meta)}")
        }
        try await call(",\(meta)")
        let request = try await server.next()
        #expect(request.trace == [Self.parents[0], "a=1, b=2"])
        #expect(request.headers["baggage"] == nil)
        try await call("")
        #expect(try await server.nextTrace() == [nil, nil])
    }

    @Test("belongs to one element of a batch, or to one notification")
    func batch() async throws {
        let server = try Server()
        let client = try Novablend(["--base-url", server.url])
        let calls = ["feed/list", "salons/list"].enumerated().map { index, method in
            #"{"jsonrpc":"2.0","id":\#(index),"method":"\#(method)","#
                + #""params":{\#(Self.meta(Self.parents[index]))}}"#
        }
        client.child.send("[\(calls.joined(separator: ","))]\n")
        _ = try #require(await client.child.line())
        let requests = [try await server.next(), try await server.next()]
        for (path, parent) in [("/feed", Self.parents[0]), ("/salons", Self.parents[1])] {
            #expect(requests.first { $0.path == path }?.trace == [parent, nil])
        }
        let params = #"{"policy":"serverOnly",\#(Self.meta(Self.parents[2]))}"#
        client.child.send(#"{"jsonrpc":"2.0","method":"salons/list","params":\#(params)}"# + "\n")
        #expect(try await server.nextTrace() == [Self.parents[2], nil])
    }

    @Test(
        "is ignored if it is invalid, and the call succeeds",
        arguments: [
            #""_meta":{"traceparent":1}"#, #""_meta":{"traceparent":null,"tracestate":"a=1"}"#,
            #""_meta":{"traceparent":""}"#, #""_meta":"traceparent""#, #""_meta":null"#,
            #""_meta":{"tracestate":"a=1"}"#,
            meta(parents[0] + #"\r\nX-Injected: 1"#), meta(parents[0] + #"\u0000"#),
            meta(parents[0].uppercased()), meta(String(repeating: "0", count: 100_000)),
        ]
    )
    func invalid(meta: String) async throws {
        let server = try Server()
        let client = try Novablend(["--base-url", server.url])
        _ = try await client.result("salons/list", "{\(meta)}")
        let request = try await server.next()
        #expect(request.trace == [nil, nil] && request.headers["x-injected"] == nil)
    }

    @Test(
        "is sent without its state if only that is invalid",
        arguments: [#"a=1\r\nX-Injected: 1"#, "A=1", "a=" + String(repeating: "v", count: 600)]
    )
    func invalidState(state: String) async throws {
        let server = try Server()
        let client = try Novablend(["--base-url", server.url])
        let meta = Self.meta(Self.parents[0], #","tracestate":"\#(state)""#)
        _ = try await client.result("salons/list", "{\(meta)}")
        #expect(try await server.nextTrace() == [Self.parents[0], nil])
    }

    @Test("is sent with a redirected request within the origin, but not to a different one")
    func redirected() async throws {
        let other = try Server()
        for target in ["/salons", other.url + "/salons"] {
            let server = try Server(redirectingTo: target)
            let client = try Novablend(["--salons-url", server.url + "/moved"])
            let sent = [Self.parents[0], "a=1"]
            let meta = Self.meta(Self.parents[0], #","tracestate":"a=1""#)
            _ = try await client.result("salons/list", "{\(meta)}")
            #expect(try await server.nextTrace() == sent)
            if target == "/salons" { #expect(try await server.nextTrace() == sent) }
        }
        let request = try await other.next()
        #expect(request.path == "/salons" && request.trace == [nil, nil])
    }

    @Test("is in the log of the backend, also for the requests of a booking")
    func logged() async throws {
        let backend = try await BackendProcess(["--log-requests", "--log", "json"])
        let client = try Novablend(["--base-url", backend.url])
        let booking = Sample.booking(extra: "," + Self.meta(Self.parents[0]))
        _ = try await client.result("appointments/book", booking)
        _ = try await client.result("appointments/list")
        client.child.endInput()
        _ = await client.child.exitCode()
        backend.child.terminate()
        _ = await backend.child.exitCode()
        let lines = backend.child.standardError().split(separator: "\n")
        let id = Self.parents[0].dropFirst(3).prefix(32)
        for (route, isTraced) in [("bookAppointment", true), ("listAppointments", false)] {
            let line = try #require(lines.last { $0.contains(#""route":"\#(route)""#) })
            #expect(line.contains(#""traceId":"\#(id)""#) == isTraced)
        }
    }
}

extension ReceivedRequest {
    fileprivate var trace: [String?] { [headers["traceparent"], headers["tracestate"]] }
}
