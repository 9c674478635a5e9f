import Networking
import Testing

@Suite("References", .timeLimit(.minutes(10)))
struct ReferenceTests {
    private func resolve(_ reference: String, from url: String) throws -> String? {
        try HTTPResponse(status: 200, headers: [:], body: [], url: url).resolve(reference)
    }

    @Test(
        "A reference is resolved as in RFC 3986, section 5.4",
        arguments: [
            ("g", "/b/c/g"), ("./g", "/b/c/g"), ("g/", "/b/c/g/"), ("/g", "/g"),
            ("?y", "/b/c/d;p?y"), ("g?y", "/b/c/g?y"), ("#s", "/b/c/d;p?q"), ("g#s", "/b/c/g"),
            ("g?y#s", "/b/c/g?y"), (";x", "/b/c/;x"), ("g;x?y#s", "/b/c/g;x?y"),
            ("", "/b/c/d;p?q"), (".", "/b/c/"), ("..", "/b/"), ("../g", "/b/g"), ("../..", "/"),
            ("../../g", "/g"), ("../../../g", "/g"), ("/./g", "/g"), ("/../g", "/g"),
            ("g..", "/b/c/g.."), ("g/../h", "/b/c/h"), ("g;x=1/../y", "/b/c/y"),
            ("g?y/../x", "/b/c/g?y/../x"), ("?u=http://x/y", "/b/c/d;p?u=http://x/y"),
            ("?a:b", "/b/c/d;p?a:b"), ("./a:b", "/b/c/a:b"),
        ]
    )
    func relative(reference: String, path: String) throws {
        #expect(try resolve(reference, from: "http://a.test/b/c/d;p?q") == "http://a.test" + path)
        let fragment = "http://a.test/b/c/d;p?q#fragment/x?y"
        #expect(try resolve(reference, from: fragment) == "http://a.test" + path)
    }

    @Test("An absolute reference replaces the URL, and one with a host retains only the scheme")
    func absolute() throws {
        #expect(
            try resolve("http://b.test:81/x?y#z", from: "https://a.test/") == "http://b.test:81/x?y"
        )
        #expect(try resolve("//b.test/x", from: "https://a.test/y?z") == "https://b.test/x")
        #expect(
            try resolve("/ä?ö=€", from: "http://a.test") == "http://a.test/%c3%a4?%c3%b6=%e2%82%ac"
        )
    }

    @Test(
        "Only http and https URLs without a user name or password are returned",
        arguments: [
            "urn:\u{301}x", "ftp://a.test/", "file:///etc/passwd", "mailto:a@a.test", "http:g",
            "urn:x:y",
            "javascript:alert(1)", "http://user@a.test/", "//user:secret@a.test/", "http://",
            "http://a.test:x/", "http://[::1/", "/a\u{0}b", "/a\nb",
        ]
    )
    func rejected(reference: String) throws {
        #expect(try resolve(reference, from: "http://a.test/b") == nil)
    }
}
