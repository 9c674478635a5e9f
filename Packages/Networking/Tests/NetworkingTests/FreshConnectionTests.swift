import Networking
import SystemTestSupport
import Testing

/// libcurl silently resends a request if a pooled connection ends without a response.
@Suite("Fresh connections", .timeLimit(.minutes(10)))
struct FreshConnectionTests {
    /// A server that responds only to `/warm`, and otherwise closes the connection.
    private func hangingUpServer() throws -> LoopbackServer {
        try LoopbackServer { exchange in
            exchange.path == "/warm" ? exchange.reply("200 OK") : exchange.end()
        }
    }

    private func warm(_ client: CurlHTTPClient, _ server: LoopbackServer) async throws {
        // The first request leaves its connection for reuse, and the second also its handle.
        for _ in 0..<2 {
            _ = try await client.send(HTTPRequest(method: .get, url: server.url + "/warm"))
        }
        #expect(server.accepted == 1)
    }

    private static let keys: [HTTPHeaders] = [[:], ["Idempotency-Key": "k"]]

    @Test(
        "A request is sent exactly once when the server processes it and hangs up",
        arguments: [HTTPMethod.get, .head, .post, .put, .patch, .delete],
        keys
    )
    func sentOnce(method: HTTPMethod, headers: HTTPHeaders) async throws {
        let server = try hangingUpServer()
        let client = CurlHTTPClient()
        try await warm(client, server)
        var request = HTTPRequest(method: method, url: server.url + "/change", headers: headers)
        request.usesFreshConnection = true
        let error = await client.failure(request)
        #expect(error?.reason == .connectionLost && error?.mayHaveBeenSent == true)
        #expect(server.requests.count == 3 && server.accepted == 2)
    }

    @Test(
        "Every method except GET and HEAD uses a fresh connection",
        arguments: [HTTPMethod.post, .put, .patch, .delete],
        keys
    )
    func unsafeMethods(method: HTTPMethod, headers: HTTPHeaders) async throws {
        let server = try hangingUpServer()
        let client = CurlHTTPClient()
        try await warm(client, server)
        let request = HTTPRequest(method: method, url: server.url + "/change", headers: headers)
        #expect(await client.failure(request)?.reason == .connectionLost)
        #expect(server.requests.count == 3 && server.accepted == 2)
    }

    @Test("A fresh connection is not left in the pool")
    func closed() async throws {
        let server = try LoopbackServer { $0.reply("200 OK") }
        let client = CurlHTTPClient()
        var request = HTTPRequest(method: .get, url: server.url)
        request.usesFreshConnection = true
        for count in 1...3 {
            #expect(try await client.send(request).status == 200)
            #expect(server.accepted == count)
        }
        #expect(try await eventually { server.open == 0 })
    }

    @Test("Later requests do not use fresh connections")
    func notSticky() async throws {
        let server = try LoopbackServer { $0.reply("200 OK") }
        let client = CurlHTTPClient()
        try await warm(client, server)
        for count in 2...4 {
            var request = HTTPRequest(method: .get, url: server.url + "/fresh")
            request.usesFreshConnection = true
            _ = try await client.send(request)
            for _ in 0..<3 {
                _ = try await client.send(HTTPRequest(method: .get, url: server.url + "/warm"))
            }
            #expect(server.accepted == count)
        }
    }

    @Test("The retrying client retries on another fresh connection")
    func retried() async throws {
        let server = try LoopbackServer { exchange in
            exchange.path == "/warm" || exchange.request.contains("\r\nX-Attempt: 2")
                ? exchange.reply("200 OK") : exchange.end()
        }
        let client = CurlHTTPClient()
        try await warm(client, server)
        var request = HTTPRequest(
            method: .post,
            url: server.url + "/change",
            headers: ["Idempotency-Key": "k"],
            body: [1]
        )
        request.usesFreshConnection = true
        var policy = RetryPolicy()
        policy.firstDelay = .zero
        policy.maximumAttempts = 3
        let retrying = RetryingHTTPClient(client, policy: policy)
        #expect(await retrying.failure(request)?.reason == .connectionLost)
        #expect(server.requests.count == 2 + 3 && server.accepted == 1 + 3)
        request.headers.add("X-Attempt", "2")
        #expect(try await retrying.send(request).status == 200)
    }
}
