import HTTPServing
import SystemTestSupport
import Testing
import WebPrimitives

@Suite("Fields in which a client may hide what a proxy adds", .timeLimit(.minutes(2)))
struct ForwardingTests {
    /// Sends fields as a trusted proxy, and returns the URL and the client that the handler gets.
    private func seen(_ fields: [String]) throws -> String {
        let trusted = IPNetwork.list("10.0.0.0/8,127.0.0.1") ?? []
        let server = try HTTPServer(publicAddress: PublicAddress(trustedProxies: trusted)) {
            ServerResponse(status: 200, body: Array("\($0.baseURL) \($0.peer)".utf8))
        }
        defer { server.stop() }
        let connection = try TCPConnection(port: server.port)
        let lines = (["Host: h"] + fields).map { $0 + "\r\n" }
        connection.send("GET / HTTP/1.1\r\n\(lines.joined())\r\n")
        return try #require(connection.response()).text
    }

    private static let unknown = "http://h "

    @Test(
        "the client is unknown if X-Forwarded-For is malformed, and no other field is believed",
        arguments: [
            // The proxy has added a comma and an address.
            "127.0.0.1:\u{600}, 192.0.2.9", "127.0.0.1,\u{301} 192.0.2.9",
            "127.0.0.1\u{200D}, 192.0.2.9",
            "\u{E9}, 192.0.2.9", "127.0.0.1 192.0.2.9", "\"127.0.0.1, 192.0.2.9",
            "\"127.0.0.1\", 192.0.2.9", "127.0.0.1\\, 192.0.2.9", "127.0.0.1;, 192.0.2.9",
            "192.0.2.9, \u{661}27.0.0.1",
        ]
    )
    func malformedList(list: String) throws {
        let others = ["X-Forwarded-Proto: https", "X-Forwarded-Host: p", "X-Forwarded-Prefix: /b"]
        #expect(try seen(["X-Forwarded-For: \(list)"] + others) == Self.unknown)
    }

    @Test("the client is unknown if another X-Forwarded field is malformed")
    func malformedOther() throws {
        for field in [
            "Proto: https\u{301}", "Host: \"p", "Prefix: /b\u{E9}", "Host: p\u{37E}", "Proto: a b",
        ] {
            let fields = ["X-Forwarded-For: 192.0.2.9", "X-Forwarded-\(field)"]
            #expect(try seen(fields) == Self.unknown, "\(field)")
        }
    }

    @Test(
        "the client is unknown if Forwarded is malformed",
        arguments: [
            #"for=127.0.0.1;x=", for=192.0.2.9"#, #"for=127.0.0.1;x=", for="[2001:db8::9]""#,
            #"for=127.0.0.1;x=", for=192.0.2.9;host="p:1""#, #"for=127.0.0.1;x="\", for=192.0.2.9"#,
            #"for="127.0.0.1"x, for=192.0.2.9"#, "for=127.0.0.1\u{37E}for=192.0.2.9",
            "for=192.0.2.9\u{37E}for=127.0.0.1", "for=192.0.2.9;for=127.0.0.1",
            "for=192.0.2.9;For=127.0.0.1", "for =127.0.0.1", "for= 127.0.0.1", "for=", "=127.0.0.1",
            "for", "for=127.0.0.1:80", "for=::1", "for=127.0.0.1 proto=https",
            "for=\"127.0.0.1\u{301}\"", "for=127.0.0.1\u{600}, for=192.0.2.9",
        ]
    )
    func malformedForwarded(field: String) throws {
        #expect(try seen(["Forwarded: \(field);proto=https;host=p"]) == Self.unknown)
        #expect(try seen(["Forwarded: \(field)", "Forwarded: for=192.0.2.9"]) == Self.unknown)
    }

    @Test("a quoted string does not continue in the next field")
    func severalFields() throws {
        let fields = [#"Forwarded: for=127.0.0.1;x=""#, #"Forwarded: ;for=192.0.2.9;x=""#]
        #expect(try seen(fields) == Self.unknown)
        #expect(
            try seen(["Forwarded: for=127.0.0.1", "Forwarded: for=192.0.2.9"])
                == "http://h 192.0.2.9"
        )
        let legacy = ["X-Forwarded-For: 127.0.0.1", "X-Forwarded-For: 192.0.2.9"]
        #expect(try seen(legacy) == "http://h 192.0.2.9")
    }

    @Test(
        "what RFC 7239 and RFC 9110 allow is understood",
        arguments: [
            (#"for="192.0.2.9""#, "http://h 192.0.2.9"),
            (#"for="\192.0.2.9:80""#, "http://h 192.0.2.9"),
            (#"FOR=192.0.2.9 ; Proto=HTTPS;"#, "https://h 192.0.2.9"),
            (",, for=192.0.2.9 ,\t", "http://h 192.0.2.9"),
            (#"for=192.0.2.9;x=",;\"""#, "http://h 192.0.2.9"),
            ("for=_hidden", "http://h "), ("for=\"[2001:db8::9]:x\"", "http://h "),
            ("for=192.0.2.9, proto=https", "https://h "),
            ("for=127.0.0.1\t;host=p, for=10.0.0.1", "http://p 127.0.0.1"),
        ]
    )
    func valid(field: String, expected: String) throws {
        #expect(try seen(["Forwarded: \(field)"]) == expected)
    }

    @Test(
        "an element of X-Forwarded-For is an address with an optional port",
        arguments: [
            ("192.0.2.9:80", "192.0.2.9"), ("[2001:db8::9]", "2001:db8::9"),
            ("[2001:db8::9]:80", "2001:db8::9"), ("2001:db8::9", "2001:db8::9"),
            ("::ffff:192.0.2.9", "192.0.2.9"), (",192.0.2.9,", "192.0.2.9"), ("127.0.0.1:", ""),
            ("127.0.0.1:x", ""), ("127.0.0.1:65536", ""), ("127.0.0.1:65535", "127.0.0.1"),
            ("127.0.0.01", ""), ("127.1", ""), ("[127.0.0.1]", ""), ("[::1", ""), ("[::1]x", ""),
            ("::1]", ""), ("fe80::1%eth0", ""),
            // Empty elements do not count.
            ("", "127.0.0.1"), (",", "127.0.0.1"),
        ]
    )
    func node(node: String, client: String) throws {
        #expect(
            try seen(["X-Forwarded-For: 127.0.0.1, \(node)"]) == "http://h \(client)",
            "\(node)"
        )
    }
}
