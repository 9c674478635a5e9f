import Foundation
import Networking
import Testing

@Suite(
    "TLS",
    .enabled(if: OpenSSL.isInstalled, "needs the command openssl"),
    .timeLimit(.minutes(1))
)
struct TLSTests {
    private func client(trusting file: String?) throws -> CurlHTTPClient {
        var configuration = CurlHTTPClient.Configuration()
        configuration.certificateFile = file
        return CurlHTTPClient(configuration: configuration)
    }

    @Test(
        "is spoken with a server whose certificate a given file vouches for, in 1.2 and 1.3",
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
        "tells when the certificate expires, to a request that wants to know",
        arguments: [3, 400]
    )
    func expiry(days: Int) async throws {
        let authority = try await Authority()
        try await authority.issue(days: days)
        // It serves one connection at a time.
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

    @Test("is looked at on a connection of its own, and tells no expiry where there is none")
    func noCertificate() async throws {
        let server = try LoopbackServer { $0.reply("200 OK") }
        let client = CurlHTTPClient()
        var request = HTTPRequest(.get, server.url)
        request.wantsCertificateExpiry = true
        for count in 1...2 {
            #expect(try await client.send(request).certificateExpiry == nil)
            #expect(server.accepted == count)
        }
    }

    @Test("is not spoken with a server whom nobody trusted vouches for")
    func untrusted() async throws {
        let (authority, stranger) = (try await Authority(), try await Authority())
        try await authority.issue()
        let server = try await TLSServer(authority, response: TLSServer.ok)
        for file in [nil, stranger.file, "/nonexistent"] {
            let error = try await client(trusting: file).failure(server.request)
            #expect(error?.reason == .tls && error?.mayHaveBeenSent == false)
        }
    }

    @Test(
        "is not spoken with a server whose certificate is for another host, or has expired",
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

    @Test("is not spoken with a server that signs its own certificate")
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

    @Test("1.1 is refused, though the server is well and speaks it with others")
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

    @Test("is never left by a redirect to http")
    func redirect() async throws {
        let authority = try await Authority()
        try await authority.issue()
        let plain = try LoopbackServer { $0.reply("200 OK") }
        let server = try await TLSServer(
            authority,
            response: "HTTP/1.1 302 Found\r\nLocation: \(plain.url)\r\nContent-Length: 0\r\n\r\n"
        )
        let error = try await client(trusting: authority.file).failure(server.request)
        #expect(error == HTTPClientError(.redirectRefused, mayHaveBeenSent: true))
        #expect(plain.accepted == 0)
    }

    @Test("where plain text answers is told, and that nothing was sent")
    func plainText() async throws {
        let server = try LoopbackServer { $0.reply("200 OK") }
        let url = server.url.replacing("http:", with: "https:")
        let client = CurlHTTPClient { $0.connectTimeout = .milliseconds(500) }
        let error = await client.failure(HTTPRequest(.post, url, body: [1]))
        #expect(error?.mayHaveBeenSent == false)
        #expect(error?.reason == .tls || error?.reason == .timedOut(.connect))
    }
}
