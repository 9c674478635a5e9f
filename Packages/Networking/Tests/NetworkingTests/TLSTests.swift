import Foundation
import Networking
import SystemTestSupport
import Testing
import WebPrimitives

@Suite(
    "TLS",
    .enabled(if: OpenSSL.isInstalled, "needs the command openssl"),
    .timeLimit(.minutes(10))
)
struct TLSTests {
    private func client(trusting file: String?) throws -> CurlHTTPClient {
        var configuration = CurlHTTPClient.Configuration()
        configuration.certificateFile = file
        return CurlHTTPClient(configuration: configuration)
    }

    @Test(
        "TLS 1.2 and 1.3 work with a server whose authority is in the configured file",
        arguments: ["-tls1_2", "-tls1_3"]
    )
    func trusted(version: String) async throws {
        let authority = try await Authority()
        try await authority.issue()
        let server = try await TLSServer(authority, response: TLSServer.ok, options: version)
        let response = try await client(trusting: authority.file).send(server.request)
        #expect(response.status == 200 && response.text == "ok")
    }

    @Test(
        "The response reports when the certificate expires, if the request asks for it",
        arguments: [3, 400]
    )
    func expiry(days: Int) async throws {
        let authority = try await Authority()
        try await authority.issue(days: days)
        // The server serves one connection at a time.
        let closing = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        let server = try await TLSServer(authority, response: closing)
        let client = try client(trusting: authority.file)
        var request = server.request
        #expect(try await client.send(request).certificateExpiry == nil)
        request.wantsCertificateExpiry = true
        let expiry = try #require(await client.send(request).certificateExpiry)
        #expect(expiry == (try await authority.expiry()))
        request.wantsCertificateExpiry = false
        #expect(try await client.send(request).certificateExpiry == nil)
    }

    @Test("Without TLS there is no expiry, and a new connection is used to find out")
    func noCertificate() async throws {
        let server = try LoopbackServer { $0.reply("200 OK") }
        let client = CurlHTTPClient()
        var request = HTTPRequest(method: .get, url: server.url)
        request.wantsCertificateExpiry = true
        for count in 1...2 {
            #expect(try await client.send(request).certificateExpiry == nil)
            #expect(server.accepted == count)
        }
    }

    @Test("A server with an unknown authority is rejected")
    func untrusted() async throws {
        let (authority, unknown) = (try await Authority(), try await Authority())
        try await authority.issue()
        let server = try await TLSServer(authority, response: TLSServer.ok)
        for file in [nil, unknown.file, "/nonexistent"] {
            let error = try await client(trusting: file).failure(server.request)
            #expect(error?.reason == .tls && error?.mayHaveBeenSent == false)
        }
    }

    @Test(
        "A server whose certificate is for a different host, or has expired, is rejected",
        arguments: [("DNS:other.test", 2), ("IP:127.0.0.2", 2), ("IP:127.0.0.1", -1)]
    )
    func wrong(host: String, days: Int) async throws {
        let authority = try await Authority()
        try await authority.issue(host: host, days: days)
        let server = try await TLSServer(authority, response: TLSServer.ok)
        let error = try await client(trusting: authority.file).failure(server.request)
        #expect(error?.reason == .tls && error?.mayHaveBeenSent == false)
        #expect(error?.detail.contains("expired") == (days < 0))
    }

    @Test("A server with a self-signed certificate is rejected")
    func selfSigned() async throws {
        let authority = try await Authority()
        for name in ["pem", "key"] {
            let directory = authority.directory
            try FileManager.default.copyItem(
                at: directory.appendingPathComponent("ca.\(name)"),
                to: directory.appendingPathComponent("server.\(name)")
            )
        }
        let server = try await TLSServer(authority, response: TLSServer.ok)
        let error = try await client(trusting: nil).failure(server.request)
        #expect(error?.reason == .tls && error?.mayHaveBeenSent == false)
    }

    @Test("TLS 1.1 is rejected, even if the server supports it")
    func old() async throws {
        let authority = try await Authority()
        try await authority.issue()
        let old = "-tls1_1 -cipher ALL:@SECLEVEL=0"
        let server = try await TLSServer(authority, response: TLSServer.ok, options: old)
        let error = try await client(trusting: authority.file).failure(server.request)
        #expect(error?.reason == .tls && error?.mayHaveBeenSent == false)
        let other = try await OpenSSL.run(
            "s_client -connect 127.0.0.1:\(server.port) \(old)",
            in: authority.directory
        )
        #expect(other.contains("Protocol  : TLSv1.1"))
    }

    @Test("A redirect to http is rejected")
    func redirect() async throws {
        let authority = try await Authority()
        try await authority.issue()
        let plain = try LoopbackServer { $0.reply("200 OK") }
        let server = try await TLSServer(
            authority,
            response: "HTTP/1.1 302 Found\r\nLocation: \(plain.url)\r\nContent-Length: 0\r\n\r\n"
        )
        let error = try await client(trusting: authority.file).failure(server.request)
        #expect(error == HTTPClientError(.redirectRejected, mayHaveBeenSent: true))
        #expect(plain.accepted == 0)
    }

    @Test("TLS to a server without TLS fails, and nothing was sent")
    func plainText() async throws {
        let server = try LoopbackServer { $0.reply("200 OK") }
        let url = server.url.replacing("http:", with: "https:")
        let client = CurlHTTPClient { $0.connectTimeout = .milliseconds(500) }
        let error = await client.failure(HTTPRequest(method: .post, url: url, body: [1]))
        #expect(error?.mayHaveBeenSent == false)
        #expect(error?.reason == .tls || error?.reason == .timedOut(.handshake))
    }
}
