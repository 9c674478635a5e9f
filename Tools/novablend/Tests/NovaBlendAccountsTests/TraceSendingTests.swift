import Networking
import Synchronization
import SystemTestSupport
import Testing
import WebPrimitives

@testable import NovaBlendAccounts

@Suite("A client in a trace", .timeLimit(.minutes(10)))
struct TraceSendingTests {
    /// Records the requests, and responds to all of them once `open()` was called.
    private final class Server: HTTPClient {
        let requests = Mutex<[HTTPRequest]>([])
        private let gate = AsyncStream.makeStream(of: Void.self)

        func open() { gate.continuation.finish() }

        func send(_ request: HTTPRequest) async throws(HTTPClientError) -> HTTPResponse {
            requests.withLock { $0.append(request) }
            for await _ in gate.stream {}
            return HTTPResponse(status: 200, headers: [:], body: [], url: request.url)
        }

        var traces: [[String?]] {
            requests.withLock { $0.map { [$0.headers["traceparent"], $0.headers["tracestate"]] } }
        }
    }

    private let server = Server()
    private let traces = (1...2).map {
        TraceContext(
            parent: "00-0000000000000000000000000000000\($0)-b7ad6b7169203331-01",
            state: "a=\($0)"
        )
    }

    private func client(_ tokens: TokenSource? = nil) -> TrustedOriginHTTPClient {
        let origins = ["https://a.example", "http://b.example"].compactMap(Origin.init)
        return TrustedOriginHTTPClient(server, tokens: tokens) { origins.contains($0) }
    }

    @Test(
        "sends the trace context to the configured origins only, also without a token",
        arguments: [
            ("https://a.example/x", true), ("http://b.example/x", true),
            ("http://a.example/x", false), ("https://b.example/x", false),
            ("https://c.example/?https://a.example", false),
        ],
        [false, true]
    )
    func origins(expected: (url: String, isSent: Bool), hasToken: Bool) async throws {
        server.open()
        let trace = try #require(traces[0])
        let tokens = TokenSource { () async throws(CredentialError) in
            guard let token = BearerToken(firstLineOf: "t") else { throw .malformed("test") }
            return token
        }
        try await TraceContext.$current.withValue(trace) {
            _ = try await client(hasToken ? tokens : nil).send(
                HTTPRequest(method: .post, url: expected.url)
            )
        }
        #expect(server.traces == [expected.isSent ? [trace.parent, "a=1"] : [nil, nil]])
    }

    @Test("sends no trace context outside of a trace")
    func untraced() async throws {
        server.open()
        _ = try await client().send(HTTPRequest(method: .get, url: "https://a.example/"))
        #expect(server.traces == [[nil, nil]])
    }

    @Test("shares a transfer with another trace; it has the trace of the call that started it")
    func coalesced() async throws {
        let shared = CoalescingHTTPClient(client())
        // An immediate task runs until it waits for the transfer.
        let calls = traces.map { trace in
            TraceContext.$current.withValue(trace) {
                Task.immediate {
                    try await shared.send(HTTPRequest(method: .get, url: "https://a.example/"))
                }
            }
        }
        server.open()
        for call in calls { #expect(try await call.value.status == 200) }
        #expect(server.traces == [[traces[0]?.parent, "a=1"]])
    }
}
