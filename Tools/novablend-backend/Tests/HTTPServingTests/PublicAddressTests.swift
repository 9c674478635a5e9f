import HTTPServing
import SystemSupport
import SystemTestSupport
import Testing
import WebPrimitives

@Suite("The URL and the client of a request", .timeLimit(.minutes(10)))
struct PublicAddressTests {
    /// Sends a request and returns the base URL, path, and client that the handler gets.
    private func seen(
        _ fields: [String] = ["Host: h"],
        path: String = "/a",
        public publicURL: String? = nil,
        trusting networks: String = ""
    ) throws -> String {
        let server = try HTTPServer(
            publicAddress: PublicAddress(
                publicURL: publicURL.flatMap { BaseURL($0) },
                trustedProxies: IPNetwork.list(networks) ?? []
            )
        ) { request in
            let text = "\(request.baseURL) \(request.path) \(request.peer)"
            return ServerResponse(status: 200, body: Array(text.utf8))
        }
        defer { server.stop() }
        let connection = try TCPConnection(port: server.port)
        connection.send("GET \(path) HTTP/1.1\r\n" + fields.map { $0 + "\r\n" }.joined() + "\r\n")
        return try #require(connection.response()).text
    }

    private static let all = [
        "Host: h", "X-Forwarded-Proto: https", "X-Forwarded-Host: p.example",
        "X-Forwarded-Prefix: /b", "X-Forwarded-For: 192.0.2.9",
    ]

    @Test("without a proxy, the URL is that of the field Host")
    func direct() throws {
        #expect(try seen(["Host: H:5"]) == "http://h:5 /a 127.0.0.1")
        #expect(try seen(["Host: [::1]:5"]) == "http://[::1]:5 /a 127.0.0.1")
        #expect(try seen(["Host: h:80"]) == "http://h /a 127.0.0.1")
    }

    @Test("the fields of a proxy that is not trusted are ignored")
    func untrusted() throws {
        #expect(try seen(Self.all) == "http://h /a 127.0.0.1")
        #expect(try seen(Self.all, trusting: "10.0.0.0/8,::1") == "http://h /a 127.0.0.1")
        let forwarded = ["Host: h", "Forwarded: for=192.0.2.9;proto=https;host=x"]
        #expect(try seen(forwarded) == "http://h /a 127.0.0.1")
    }

    @Test("X-Forwarded fields of a trusted proxy are believed")
    func legacy() throws {
        let trusting = "127.0.0.0/8"
        #expect(try seen(Self.all, trusting: trusting) == "https://p.example/b /a 192.0.2.9")
        #expect(
            try seen(Self.all, path: "/b/a", trusting: trusting)
                == "https://p.example/b /a 192.0.2.9"
        )
        let chain = ["Host: h", "X-Forwarded-For: 198.51.100.1, 192.0.2.9, 127.0.0.2"]
        #expect(try seen(chain, trusting: trusting) == "http://h /a 192.0.2.9")
        let direct = ["Host: h"]
        #expect(try seen(direct, trusting: trusting) == "http://h /a 127.0.0.1")
        for field in ["Proto: https", "For: ", "For: unknown", "For: unknown, 127.0.0.2"] {
            let fields = ["Host: h", "X-Forwarded-\(field)"]
            #expect(try seen(fields, trusting: trusting).hasSuffix("://h /a "), "\(field)")
        }
    }

    @Test(
        "Forwarded of a trusted proxy is believed",
        arguments: [
            ("for=192.0.2.9;proto=https;host=p.example", "https://p.example /a 192.0.2.9"),
            (
                "For=\"[2001:db8::1]:47\";Host=\"p.example:8443\"",
                "http://p.example:8443 /a 2001:db8::1"
            ),
            // Only the part from the first trusted proxy on is believed.
            ("for=1.1.1.1;host=evil, for=192.0.2.9;host=p, for=127.0.0.3", "http://p /a 192.0.2.9"),
            // Without an address, the client is not known; it is not the proxy.
            ("for=unknown;proto=https", "https://h /a "),
            ("for=unknown, for=127.0.0.3", "http://h /a "),
            ("for=192.0.2.9, for=unknown, for=127.0.0.3", "http://h /a "),
            ("proto=gopher;host=p", "http://h /a "),
            ("host=\"a/b\"", "http://h /a "), ("", "http://h /a "),
            // A client on the machine of the proxy.
            ("for=127.0.0.4, for=127.0.0.3", "http://h /a 127.0.0.4"),
        ]
    )
    func forwarded(field: String, expected: String) throws {
        let fields = ["Host: h", "Forwarded: \(field)"]
        #expect(try seen(fields, trusting: "127.0.0.0/8") == expected)
    }

    @Test("if there are both kinds of fields, neither is believed")
    func both() throws {
        let fields = Self.all + ["Forwarded: for=192.0.2.9;host=x"]
        #expect(try seen(fields, trusting: "127.0.0.1") == "http://h /a ")
    }

    @Test("a public URL replaces all other information, and its path is removed from requests")
    func publicURL() throws {
        let url = "https://Salon.example:443/booking/"
        let expected = "https://salon.example/booking /a 127.0.0.1"
        for path in ["/a", "/booking/a"] {
            #expect(try seen(path: path, public: url) == expected)
        }
        let other = "https://salon.example/booking /bookings 127.0.0.1"
        #expect(try seen(path: "/bookings", public: url) == other)
        #expect(try seen(path: "/booking", public: url).hasSuffix(" / 127.0.0.1"))
        #expect(
            try seen(Self.all, public: url, trusting: "127.0.0.1")
                == "https://salon.example/booking /a 192.0.2.9"
        )
    }

    @Test(
        "only loopback addresses are those of this machine",
        arguments: [
            ("127.0.0.1", true), ("127.9.8.7", true), ("::1", true), ("::ffff:127.0.0.1", true),
            ("128.0.0.1", false), ("126.255.255.255", false), ("::2", false), ("::", false),
            ("0.0.0.0", false), ("192.0.2.1", false), ("", false),
        ]
    )
    func loopback(peer: String, isLoopback: Bool) {
        #expect(ServerRequest(method: "GET", path: "/", peer: peer).isFromLoopback == isLoopback)
    }

    @Test(
        "the network of a client is its IPv4 address or the first 64 bits of its IPv6 address",
        arguments: [
            ("192.0.2.1", "192.0.2.1"), ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
            ("2001:db8:1:3:3:4:5:6", "2001:db8:1:3::"), ("::1", "::"), ("", ""),
        ]
    )
    func network(peer: String, network: String) {
        #expect(ServerRequest(method: "GET", path: "/", peer: peer).clientNetwork == network)
    }

    @Test(
        "other texts are not base URLs",
        arguments: [
            "", "h", "ftp://h", "http://", "http:///a", "http://u@h", "http://h?q", "http://h#f",
            "http://h\u{301}", "http:/\u{301}/h", "http://h/\u{301}a", "http://h\0", "http://h/a b",
            "http://h/../a", "http://h//a", "http://h:x", "http://[::1",
        ]
    )
    func invalidURL(text: String) { #expect(BaseURL(text) == nil) }

    @Test(
        "IPv4 and IPv6 clients are served on the same port",
        arguments: ["::", "localhost", "[::]"]
    )
    func bothFamilies(host: String) throws {
        let server = try HTTPServer(host: host) { request in
            ServerResponse(status: 200, body: Array(request.peer.utf8))
        }
        defer { server.stop() }
        for (isIPv6, peer) in [(false, "127.0.0.1"), (true, "::1")] {
            let connection = try TCPConnection(port: server.port, isIPv6: isIPv6)
            connection.get("/")
            #expect(connection.response()?.text == peer)
        }
    }

    @Test("the address can be one of IPv6")
    func loopbackOfIPv6() throws {
        let server = try HTTPServer(host: "::1") { _ in ServerResponse(status: 200) }
        defer { server.stop() }
        let connection = try TCPConnection(port: server.port, isIPv6: true)
        connection.get("/")
        #expect(connection.response()?.status == 200)
    }

    @Test("a port that is in use, and an address of another machine, are errors")
    func unusable() throws {
        let server = try HTTPServer { _ in ServerResponse(status: 200) }
        defer { server.stop() }
        for (host, port) in [("127.0.0.1", server.port), ("192.0.2.1", 0), ("h", 0)] {
            #expect(throws: SystemError.self) {
                try HTTPServer(host: host, port: port) { _ in ServerResponse(status: 200) }
            }
        }
    }
}
