import Networking
import SystemTestSupport
import Testing

@Suite("Limits", .timeLimit(.minutes(10)))
struct LimitTests {
    private func failure(
        _ url: String,
        _ change: (inout HTTPLimits) -> Void = { _ in }
    ) async throws -> HTTPClientError? {
        await CurlHTTPClient(limits: change).failure(HTTPRequest(method: .get, url: url))
    }

    @Test("The limits have the defaults that the README states")
    func defaults() {
        let limits = HTTPLimits()
        #expect(limits.connectTimeout == .seconds(5))
        #expect(limits.stallTimeout == .seconds(15))
        #expect(HTTPRequest(method: .get, url: "").totalTimeout == .seconds(30))
        #expect(limits.maximumBodyBytes == 67_108_864)
        #expect(limits.maximumHeaderBytes == 65_536)
        #expect(limits.maximumRedirects == 5)
        #expect(limits.maximumIdleConnections == 64)
    }

    @Test("The connect timeout ends a wait for a port that does not answer, and nothing was sent")
    func connect() async throws {
        let hole = try BlackHole()
        let error = try await failure("http://127.0.0.1:\(hole.port)/") {
            $0.connectTimeout = .milliseconds(200)
        }
        #expect(error?.reason == .timedOut(.connect) && error?.mayHaveBeenSent == false)
    }

    @Test("The total timeout is reported as a connect timeout while there is no connection")
    func totalWithoutConnection() async throws {
        let hole = try BlackHole()
        let request = HTTPRequest(
            method: .get,
            url: "http://127.0.0.1:\(hole.port)/",
            totalTimeout: .milliseconds(200)
        )
        let error = await CurlHTTPClient().failure(request)
        #expect(error?.reason == .timedOut(.connect) && error?.mayHaveBeenSent == false)
    }

    @Test("The stall timeout ends a wait for the first byte, and the request may have arrived")
    func silence() async throws {
        let server = try LoopbackServer { $0.waitForClose() }
        let error = try await failure(server.url) { $0.stallTimeout = .seconds(1) }
        #expect(error?.reason == .timedOut(.stall) && error?.mayHaveBeenSent == true)
    }

    @Test("The stall timeout ends a body that stops in the middle")
    func stall() async throws {
        let server = try LoopbackServer { exchange in
            exchange.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc")
            exchange.waitForClose()
        }
        #expect(
            try await failure(server.url) { $0.stallTimeout = .seconds(1) }?.reason
                == .timedOut(.stall)
        )
    }

    @Test(
        "The total timeout ends a response that arrives byte by byte",
        arguments: ["HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n"]
    )
    func drip(first: String) async throws {
        let server = try LoopbackServer { exchange in
            exchange.send(first)
            exchange.drip(String(repeating: "X: y\r\n", count: 150))
        }
        let request = HTTPRequest(method: .get, url: server.url, totalTimeout: .seconds(1))
        let error = await CurlHTTPClient().failure(request)
        #expect(error?.reason == .timedOut(.total) && error?.mayHaveBeenSent == true)
    }

    private static func isLast(_ request: String) -> Bool { request.hasPrefix("GET /last ") }

    @Test("The total timeout includes redirects")
    func totalWithRedirects() async throws {
        let server = try LoopbackServer { exchange in
            exchange.path == "/last"
                ? exchange.waitForClose()
                : exchange.reply("302 Found", headers: ["Location: /last"])
        }
        // On a busy machine a short timeout may expire before the redirect.
        for seconds in [1, 2, 4, 8, 16] where !server.requests.contains(where: Self.isLast) {
            let request = HTTPRequest(
                method: .get,
                url: server.url,
                totalTimeout: .seconds(seconds)
            )
            #expect(await CurlHTTPClient().failure(request)?.reason == .timedOut(.total))
        }
        #expect(server.requests.contains(where: Self.isLast))
    }

    @Test(
        "A total timeout of zero or less makes every request fail",
        arguments: [0, -1, .min] as [Int64]
    )
    func zero(seconds: Int64) async throws {
        let request = HTTPRequest(
            method: .get,
            url: "http://127.0.0.1:1",
            totalTimeout: .seconds(seconds)
        )
        let error = await CurlHTTPClient().failure(request)
        #expect(error == HTTPClientError(.timedOut(.total)))
    }

    @Test("The body limit ends a response with endless chunks")
    func endlessChunks() async throws {
        let server = try LoopbackServer { exchange in
            exchange.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            let chunk = "1000\r\n" + String(repeating: "x", count: 0x1000) + "\r\n"
            while exchange.send(chunk) {}
        }
        let error = try await failure(server.url) { $0.maximumBodyBytes = 100_000 }
        #expect(error?.reason == .bodyTooLarge(limit: 100_000))
    }

    @Test(
        "An announced length does not reserve more memory than arrives",
        arguments: [64 << 20, .max]
    )
    func announcedLength(limit: Int) async throws {
        let server = try LoopbackServer { exchange in
            exchange.send("HTTP/1.1 200 OK\r\nContent-Length: \(Int64.max / 2)\r\n\r\nabc")
            exchange.end()
        }
        let error = try await failure(server.url) { $0.maximumBodyBytes = limit }
        #expect(error?.reason == .connectionLost)
    }

    @Test("The body limit allows a body of exactly that length")
    func exact() async throws {
        let server = try LoopbackServer { $0.reply("200 OK", body: "12345") }
        let client = CurlHTTPClient { $0.maximumBodyBytes = 5 }
        #expect(try await client.send(HTTPRequest(method: .get, url: server.url)).text == "12345")
        let error = try await failure(server.url) { $0.maximumBodyBytes = 4 }
        #expect(error?.reason == .bodyTooLarge(limit: 4))
    }

    @Test(
        "A request can lower the body limit, but not raise it",
        arguments: [(9, 100, 9), (100, 8, 8), (10, 10, nil), (-1, 100, -1)] as [(Int, Int, Int?)]
    )
    func smallerBody(own: Int, overall: Int, limit: Int?) async throws {
        let server = try LoopbackServer { $0.reply("200 OK", body: "0123456789") }
        let client = CurlHTTPClient { $0.maximumBodyBytes = overall }
        let request = HTTPRequest(method: .get, url: server.url, maximumResponseBytes: own)
        let failure = await client.failure(request)
        #expect(failure?.reason == limit.map { .bodyTooLarge(limit: $0) })
    }

    @Test(
        "The header limit ends a flood of headers or interim responses, and an endless line",
        arguments: [
            "X-Long: " + String(repeating: "x", count: 1_000) + "\r\n",
            "\r\nHTTP/1.1 103 Early Hints\r\nLink: a\r\n",
            String(repeating: "x", count: 1_000),
        ]
    )
    func endlessHeaders(piece: String) async throws {
        let server = try LoopbackServer { exchange in
            exchange.send("HTTP/1.1 103 Early Hints\r\nX: y")
            exchange.send("\r\n")
            while exchange.send(piece) {}
        }
        #expect(try await failure(server.url)?.reason == .headersTooLarge(limit: 65_536))
    }

    @Test("The header limit is at most 100 KiB for a single line")
    func longLine() async throws {
        let server = try LoopbackServer { exchange in
            exchange.send("HTTP/1.1 200 OK\r\nX: ")
            while exchange.send(String(repeating: "x", count: 1_000)) {}
        }
        let error = try await failure(server.url) { $0.maximumHeaderBytes = 1 << 20 }
        #expect(error?.reason == .headersTooLarge(limit: 102_400))
    }
}
