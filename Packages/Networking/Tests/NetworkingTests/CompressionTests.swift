import Networking
import SystemTestSupport
import Testing

@Suite("Compression", .timeLimit(.minutes(10)))
struct CompressionTests {
    /// A server that responds with `body` if the client accepts `encoding`.
    private func server(_ encoding: String, _ body: [UInt8]) throws -> LoopbackServer {
        try LoopbackServer { exchange in
            let accepted = exchange.request.split(separator: "Accept-Encoding: ").last ?? ""
            let names = accepted.prefix { $0 != "\r\n" }.split(separator: ", ")
            guard names.contains(Substring(encoding)) else { return exchange.reply("406 No") }
            exchange.send("HTTP/1.1 200 OK\r\nContent-Encoding: \(encoding)\r\n")
            exchange.send("Content-Length: \(body.count)\r\n\r\n")
            exchange.send(body)
        }
    }

    private func gzip(zeros count: Int) async throws -> [UInt8] {
        try await Command.run("/bin/sh", ["-c", "head -c \(count) /dev/zero | gzip -9"])
    }

    @Test("gzip is requested and decoded")
    func gzip() async throws {
        let server = try server("gzip", try await gzip(zeros: 1_000))
        let response = try await CurlHTTPClient().send(HTTPRequest(method: .get, url: server.url))
        #expect(response.body == [UInt8](repeating: 0, count: 1_000))
    }

    @Test("A streamed body is decoded, and its limit counts the decoded bytes")
    func stream() async throws {
        let server = try server("gzip", try await gzip(zeros: 5_000_000))
        let request = HTTPRequest(method: .get, url: server.url)
        var body: [UInt8] = []
        for try await chunk in try await CurlHTTPClient().stream(request) { body += chunk }
        #expect(body == [UInt8](repeating: 0, count: 5_000_000))
        let stream = try await CurlHTTPClient { $0.maximumBodyBytes = 4_999_999 }.stream(request)
        await #expect(throws: HTTPClientError.self) { for try await _ in stream {} }
    }

    @Test("A stream that asks for identity receives what the server sends, even if compressed")
    func identity() async throws {
        let packed = try await gzip(zeros: 5_000_000)
        let server = try LoopbackServer { exchange in
            exchange.send("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n")
            exchange.send("Content-Length: \(packed.count)\r\n\r\n")
            exchange.send(packed)
        }
        let request = HTTPRequest(
            method: .get,
            url: server.url,
            headers: ["Accept-Encoding": "identity"]
        )
        let stream = try await CurlHTTPClient().stream(request)
        #expect(stream.head.headers["Content-Encoding"] == "gzip")
        var body: [UInt8] = []
        for try await chunk in stream { body += chunk }
        #expect(body == packed)
    }

    @Test("br is requested and decoded if libcurl supports it")
    func brotli() async throws {
        // "hello" in an uncompressed block.
        let body: [UInt8] = [0x0B, 0x02, 0x80, 0x68, 0x65, 0x6C, 0x6C, 0x6F, 0x03]
        let server = try server("br", body)
        let response = try await CurlHTTPClient().send(HTTPRequest(method: .get, url: server.url))
        if response.status == 406 { return }
        #expect(response.text == "hello")
    }

    @Test("One Accept-Encoding header is sent, which may be the request's own")
    func line() async throws {
        let server = try LoopbackServer { $0.reply("200 OK") }
        let client = CurlHTTPClient()
        _ = try await client.send(HTTPRequest(method: .get, url: server.url))
        let own: HTTPHeaders = ["Accept-Encoding": "identity"]
        _ = try await client.send(HTTPRequest(method: .get, url: server.url, headers: own))
        let lines = server.requests.map { request in
            request.split(separator: "\r\n").filter { $0.hasPrefix("Accept-Encoding: ") }
        }
        #expect(lines.map(\.count) == [1, 1] && lines.last == ["Accept-Encoding: identity"])
    }

    @Test("A gzip bomb cannot exceed the body limit of 64 MiB")
    func bomb() async throws {
        let packed = try await gzip(zeros: 70 << 20)
        #expect(packed.count < 100_000)
        let server = try server("gzip", packed)
        let error = await CurlHTTPClient().failure(HTTPRequest(method: .get, url: server.url))
        #expect(error?.reason == .bodyTooLarge(limit: 64 << 20))
    }

    @Test(
        "A body that cannot be decoded is an error that names the encoding",
        arguments: [
            ("gzip", "not gzip at all"), ("deflate", "not deflate"), ("br", "not br at all"),
            ("sdch", "unknown"), ("gzip, gzip", "not gzip at all"),
        ]
    )
    func damaged(encoding: String, body: String) async throws {
        let server = try LoopbackServer { exchange in
            exchange.reply("200 OK", headers: ["Content-Encoding: \(encoding)"], body: body)
        }
        let error = await CurlHTTPClient().failure(HTTPRequest(method: .get, url: server.url))
        #expect(error?.reason == .undecodableBody(encoding: encoding))
        #expect(error?.description.contains("content encoding (\(encoding))") == true)
    }

    @Test(
        "Compressed data with several members, or followed by other data, is an error that says so",
        arguments: [true, false],
        [true, false]
    )
    func members(isGzip: Bool, isSentSeparately: Bool) async throws {
        let first = try await Command.run("/bin/sh", ["-c", "printf hello | gzip"])
        let rest = isGzip ? first : [1, 2, 3]
        let server = try LoopbackServer { exchange in
            exchange.send("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n")
            exchange.send("Content-Length: \(first.count + rest.count)\r\n\r\n")
            for part in isSentSeparately ? [first, rest] : [first + rest] { exchange.send(part) }
        }
        let error = await CurlHTTPClient().failure(HTTPRequest(method: .get, url: server.url))
        #expect(error?.reason == .undecodableBody(encoding: "gzip"))
        #expect(error?.description.contains("several members") == true)
        #expect(error?.description.contains("disk") == false)
    }
}
