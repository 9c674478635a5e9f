import Foundation
import Networking
import SystemSupport
import SystemTestSupport
import Testing

@Suite("Metrics", .timeLimit(.minutes(10)))
struct MetricsTests {
    @Test("Times are reported only if the request asks for them")
    func times() async throws {
        let server = try LoopbackServer { $0.reply("200 OK", body: "a") }
        let client = CurlHTTPClient()
        var request = HTTPRequest(method: .get, url: server.url)
        #expect(try await client.send(request).metrics == nil)
        request.wantsMetrics = true
        let pooled = try #require(try await client.send(request).metrics)
        #expect(pooled.usedPooledConnection && pooled.nameLookup == nil)
        #expect(pooled.connect == nil && pooled.tls == nil)
        let total = try #require(pooled.total)
        #expect(pooled.firstByte > .zero && pooled.firstByte <= total)
        request.usesFreshConnection = true
        let fresh = try #require(try await client.send(request).metrics)
        let (lookup, connect) = (try #require(fresh.nameLookup), try #require(fresh.connect))
        #expect(!fresh.usedPooledConnection && fresh.tls == nil)
        #expect(.zero <= lookup && lookup <= connect && .zero < connect)
        #expect(connect <= fresh.firstByte && fresh.firstByte <= fresh.total ?? .zero)
    }

    @Test("The head of a stream reports the times so far, and its end the total")
    func order() async throws {
        let next = Semaphore()
        let server = try LoopbackServer { exchange in
            exchange.send("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n")
            next.wait()
            exchange.send("a")
        }
        let client = CurlHTTPClient()
        var request = HTTPRequest(method: .get, url: server.url)
        request.wantsMetrics = true
        let stream = try await client.stream(request)
        let head = try #require(stream.head.metrics)
        #expect(.zero < head.firstByte && head.total == nil)
        #expect(stream.metrics == nil)
        next.signal()
        for try await _ in stream {}
        let metrics = try #require(stream.metrics)
        #expect(metrics.firstByte == head.firstByte)
        #expect(metrics.firstByte <= metrics.total ?? .zero)
    }

    @Test("A download reports the times of its whole transfer")
    func download() async throws {
        let server = try LoopbackServer { $0.reply("200 OK", body: "a") }
        let path = NSTemporaryDirectory() + "Networking-\(UUID())"
        defer { try? FileManager.default.removeItem(atPath: path) }
        var request = HTTPRequest(method: .get, url: server.url)
        request.wantsMetrics = true
        let download = try await CurlHTTPClient().download(request, to: path)
        let metrics = try #require(download.response.metrics)
        #expect(metrics.firstByte <= metrics.total ?? .zero)
    }

    @Test(
        "The time of the TLS handshake is reported",
        .enabled(if: OpenSSL.isInstalled, "needs the command openssl")
    )
    func tls() async throws {
        let authority = try await Authority()
        try await authority.issue()
        let server = try await TLSServer(authority, response: TLSServer.ok)
        var configuration = CurlHTTPClient.Configuration()
        configuration.certificateFile = authority.file
        var request = server.request
        request.wantsMetrics = true
        let response = try await CurlHTTPClient(configuration: configuration).send(request)
        let metrics = try #require(response.metrics)
        let (connect, tls) = (try #require(metrics.connect), try #require(metrics.tls))
        #expect(connect < tls && tls <= metrics.firstByte)
    }
}
