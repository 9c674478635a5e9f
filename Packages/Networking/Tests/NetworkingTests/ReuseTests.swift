import Glibc
import Networking
import SystemTestSupport
import Testing

/// A request must not affect a later one with the same easy handle.
@Suite("Reused handles", .timeLimit(.minutes(10)))
struct ReuseTests {
    /// Sends plain GETs until one leaves its handle for reuse, then `first`, then a plain GET
    /// again. Returns the last two requests as the server received them.
    private func requests(
        after first: HTTPRequest,
        _ server: LoopbackServer,
        _ client: CurlHTTPClient = CurlHTTPClient()
    ) async throws -> (first: String, next: String) {
        let plain = HTTPRequest(method: .get, url: server.url + "/plain")
        for _ in 0..<3 { _ = try await client.send(plain) }
        let before = server.requests.count
        _ = await client.result(of: first)
        _ = try await client.send(plain)
        let next = try #require(server.requests.last)
        #expect(next == server.requests[before - 1])
        return (server.requests[before], next)
    }

    private func server() throws -> LoopbackServer {
        try LoopbackServer { exchange in
            exchange.path == "/moved"
                ? exchange.reply("302 Found", headers: ["Location: /plain"])
                : exchange.reply(
                    "200 OK",
                    headers: ["X-Path: \(exchange.path)"],
                    body: exchange.request.hasPrefix("HEAD") ? "" : exchange.path
                )
        }
    }

    @Test(
        "A reused handle does not send the method or body of an earlier request",
        arguments: [HTTPMethod.post, .put, .patch, .delete, .head]
    )
    func method(method: HTTPMethod) async throws {
        let server = try server()
        let body = method == .head ? nil : Array("secret".utf8)
        let other = HTTPRequest(method: method, url: server.url + "/other", body: body)
        let (first, next) = try await requests(after: other, server)
        #expect(first.hasPrefix("\(method.rawValue) /other "))
        #expect(next.hasPrefix("GET /plain ") && !next.contains("secret"))
        #expect(!next.contains("Content-Length"))
    }

    @Test("A reused handle does not send the body of an earlier GET")
    func readWithBody() async throws {
        let server = try server()
        let other = HTTPRequest(
            method: .get,
            url: server.url + "/other",
            body: Array("secret".utf8)
        )
        let (first, next) = try await requests(after: other, server)
        #expect(first.hasSuffix("secret") && !next.contains("secret"))
    }

    @Test(
        "A reused handle does not send the headers or credentials of an earlier request",
        arguments: ["Authorization", "Cookie", "X-A", "User-Agent", "Content-Type", "Host"]
    )
    func header(name: String) async throws {
        let server = try server()
        let other = HTTPRequest(method: .get, url: server.url + "/other", headers: [name: "secret"])
        let (first, next) = try await requests(after: other, server)
        #expect(first.contains("\(name): secret\r\n") && !next.contains("secret"))
    }

    @Test("A reused handle is not affected by an earlier redirect")
    func redirect() async throws {
        let server = try server()
        let moved = HTTPRequest(method: .get, url: server.url + "/moved")
        let (first, _) = try await requests(after: moved, server)
        #expect(first.hasPrefix("GET /moved "))
    }

    @Test("A reused handle has the limits of the client, not those of an earlier request")
    func limits() async throws {
        let server = try server()
        let client = CurlHTTPClient()
        var small = HTTPRequest(method: .get, url: server.url + "/other", maximumResponseBytes: 1)
        _ = try await requests(after: small, server, client)
        #expect(await client.failure(small)?.reason == .bodyTooLarge(limit: 1))
        small.maximumResponseBytes = nil
        small.totalTimeout = .seconds(60)
        #expect(try await client.send(small).text == "/other")
    }

    @Test("A reused handle does not have the timeout of an earlier request")
    func time() async throws {
        let server = try LoopbackServer { exchange in
            if exchange.path == "/slow" { usleep(2_300_000) }
            exchange.reply("200 OK")
        }
        let client = CurlHTTPClient()
        // Long enough for these requests, but too short for the slow one.
        let short = HTTPRequest(method: .get, url: server.url, totalTimeout: .seconds(2))
        for _ in 0..<3 { _ = try await client.send(short) }
        let slow = HTTPRequest(method: .get, url: server.url + "/slow")
        #expect(try await client.send(slow).status == 200)
    }

    @Test("A reused handle does not deliver parts of an earlier response")
    func response() async throws {
        let server = try LoopbackServer { exchange in
            exchange.path == "/full"
                ? exchange.reply("203 X", headers: ["X-A: b"], body: "full")
                : exchange.reply("200 OK")
        }
        let client = CurlHTTPClient()
        for _ in 0..<3 {
            let full = try await client.send(HTTPRequest(method: .get, url: server.url + "/full"))
            #expect(full.status == 203 && full.text == "full" && full.headers["X-A"] == "b")
            let empty = try await client.send(HTTPRequest(method: .get, url: server.url + "/empty"))
            #expect(empty.status == 200 && empty.body.isEmpty && empty.headers["X-A"] == nil)
            #expect(empty.headers.fields.count == 1 && empty.url == server.url + "/empty")
        }
    }

    @Test("Reused handles work even if many pooled connections were dead")
    func deadConnections() async throws {
        // A request to `/last` gets no response and ends its connection.
        let server = try LoopbackServer { exchange in
            exchange.path == "/last" ? exchange.reset() : exchange.reply("200 OK")
        }
        let client = CurlHTTPClient()
        for _ in 0..<20 {
            for _ in 0..<3 { _ = try await client.send(HTTPRequest(method: .get, url: server.url)) }
            let error = await client.failure(HTTPRequest(method: .get, url: server.url + "/last"))
            #expect(error?.reason == .connectionLost)
        }
    }
}
