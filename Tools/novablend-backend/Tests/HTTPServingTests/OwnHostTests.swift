import HTTPServing
import SystemTestSupport
import Testing
import WebPrimitives

@Suite("The host that a client names", .timeLimit(.minutes(2)))
struct OwnHostTests {
    /// Whether the server considers the host of a request its own.
    private func isOwn(
        _ head: String,
        public publicURL: String? = nil,
        trusting networks: String = "192.0.2.1"
    ) throws -> Bool {
        let server = try HTTPServer(
            publicAddress: PublicAddress(
                publicURL: publicURL.flatMap { BaseURL($0) },
                trustedProxies: IPNetwork.list(networks) ?? []
            )
        ) { ServerResponse(status: $0.hasOwnHost ? 200 : 299) }
        defer { server.stop() }
        let connection = try TCPConnection(port: server.port)
        connection.send(head + "\r\n\r\n")
        return try #require(connection.response()).status == 200
    }

    @Test(
        "is the server's own if it is a loopback address or localhost, with any port",
        arguments: [
            ("localhost", true), ("LOCALHOST:1", true), ("127.0.0.1:65535", true),
            ("127.255.255.255", true), ("[::1]", true), ("[::1]:80", true),
            ("[::ffff:127.0.0.1]", true), ("[0:0:0:0:0:0:0:1]", true),
            ("evil.example", false), ("localhost.evil.example", false),
            ("127.0.0.1.evil.example", false),
            ("evil.localhost", false), ("126.255.255.255", false), ("128.0.0.0", false),
            ("0.0.0.0", false), ("[::]", false), ("[::2]", false), ("2130706433", false),
            ("127.1", false),
            ("_", false), ("192.0.2.1", false),
        ]
    )
    func loopback(host: String, expected: Bool) throws {
        #expect(try isOwn("GET / HTTP/1.1\r\nHost: \(host)") == expected)
        #expect(try isOwn("GET http://\(host)/ HTTP/1.1\r\nHost: \(host)") == expected)
        #expect(try isOwn("GET http://\(host)/ HTTP/1.0") == expected)
    }

    @Test("is the server's own in a request of HTTP/1.0 without one, which no browser sends")
    func old() throws { #expect(try isOwn("GET / HTTP/1.0")) }

    @Test(
        "is the server's own if it is that of the public URL",
        arguments: [
            ("salon.example", true), ("Salon.Example:443", true), ("localhost", true),
            ("salon.example:80", false), ("salon.example.evil", false), ("evil.example", false),
        ]
    )
    func publicURL(host: String, expected: Bool) throws {
        let head = "GET / HTTP/1.1\r\nHost: \(host)"
        #expect(try isOwn(head, public: "https://salon.example/a") == expected)
    }

    @Test("is the server's own behind a proxy if both the proxy's and the client's are")
    func forwarded() throws {
        for (host, field, expected) in [
            ("localhost", "Forwarded: for=127.0.0.1;host=\"localhost:1\"", true),
            ("localhost", "Forwarded: for=127.0.0.1;host=evil.example", false),
            // A proxy may pass this field on although the client wrote it.
            ("evil.example", "X-Forwarded-Host: localhost", false),
            ("localhost", "X-Forwarded-Host: evil.example", false),
            ("localhost", "X-Forwarded-For: 127.0.0.1", true),
            ("evil.example", "X-Forwarded-For: 127.0.0.1", false),
        ] {
            let head = "GET / HTTP/1.1\r\nHost: \(host)\r\n\(field)"
            #expect(try isOwn(head, trusting: "127.0.0.1") == expected, "\(host) \(field)")
        }
    }

    @Test("is determined for each request of a connection")
    func connection() throws {
        let server = try HTTPServer { ServerResponse(status: $0.hasOwnHost ? 200 : 299) }
        defer { server.stop() }
        let connection = try TCPConnection(port: server.port)
        for (host, status) in [("localhost", 200), ("h", 299), ("h", 299), ("localhost", 200)] {
            connection.send("GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n")
            #expect(connection.response()?.status == status)
        }
    }
}
