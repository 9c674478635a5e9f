import Testing

@testable import NovaBlendAccounts

@Suite("An account")
struct AccountTests {
    private func name(_ url: String?, profile: String = "default") -> String {
        Account(profile: profile, appointmentsURL: url).name
    }

    @Test(
        "is the same for equivalent spellings of a URL",
        arguments: [
            ("https://a.example/appointments", "HTTPS://A.Example:443/appointments/"),
            ("http://a.example/x", "http://a.example:80/x#top"),
            ("http://[::1]:8080/x", "HTTP://[::1]:8080/x//"),
            ("https://a.example", "https://a.example/"),
        ]
    )
    func same(first: String, second: String) {
        #expect(name(first) == name(second))
    }

    @Test(
        "is different for a different scheme, host, port, path, or query",
        arguments: [
            "http://a.example/x", "https://b.example/x", "https://a.example:444/x",
            "https://a.example/X", "https://a.example/x/y", "https://a.example/x?y=1",
            "https://a.example.b/x",
        ]
    )
    func different(url: String) {
        #expect(name(url) != name("https://a.example/x"))
    }

    @Test("is different for a different profile and without a URL")
    func profiles() {
        let url = "https://a.example/x"
        let names = [
            name(url), name(url, profile: "work"), name(nil), name(nil, profile: "work"),
        ]
        #expect(Set(names).count == names.count)
    }

    @Test(
        "has a readable, bounded name that is safe as a file name",
        arguments: [
            ("default", "https://salons.example/appointments", "default-salons.example-"),
            ("Work.2", "http://127.0.0.1:8080/a", "work.2-127.0.0.1-8080-"),
            ("a", "http://[::1]:80/a", "a-1--"),
            ("a", nil, "a-none-"),
            ("..", "http://../../a", "x-x-"),
            ("ü/\n", "https://münchen.example/", "x-m-nchen.example-"),
        ] as [(String, String?, String)]
    )
    func readable(profile: String, url: String?, prefix: String) {
        let name = name(url, profile: profile)
        #expect(name.hasPrefix(prefix) && name.count == prefix.count + 16, "\(name)")
        #expect(!name.contains("/") && !name.hasPrefix("."))
    }

    @Test("has a name of limited length, even if the profile and the URL are long")
    func bounded() {
        let long = String(repeating: "a", count: 5_000)
        let name = name("https://\(long).example/\(long)", profile: long)
        #expect(name.utf8.count <= 100)
        #expect(name != self.name("https://\(long).example/\(long)b", profile: long))
    }

    @Test("shows its server without user info, query, and fragment")
    func server() {
        let account = Account(
            profile: "default",
            appointmentsURL: "https://u:secret@a.example:444/x?key=secret#secret"
        )
        #expect(account.server == "https://a.example:444/x")
        #expect(Account(profile: "default", appointmentsURL: nil).server == nil)
    }
}

@Suite("The origin of a URL")
struct OriginTests {
    @Test(
        "consists of scheme, host, and port",
        arguments: [
            ("https://A.example/x", "https://a.example"),
            ("HTTP://a.example:80", "http://a.example"),
            ("http://a.example:8080?x", "http://a.example:8080"),
            ("http://[2001:db8::1]:81/", "http://[2001:db8::1]:81"),
            ("http://u:p@a.example#x@b", "http://a.example"),
            ("http://a.example:0/", nil), ("http://a.example:65536/", nil),
            ("http://a.example:x/", nil), ("ftp://a.example/", nil), ("http:///x", nil),
            ("a.example", nil), ("http://:80/", nil),
        ] as [(String, String?)]
    )
    func parsed(url: String, origin: String?) {
        #expect(Origin(url)?.description == origin)
    }

    @Test(
        "is confidential over https or on loopback",
        arguments: [
            ("https://a.example", true), ("http://a.example", false), ("http://localhost:1", true),
            ("http://127.0.0.1", true), ("http://127.255.255.255", true), ("http://[::1]", true),
            ("http://127.0.0.256", false), ("http://127.0.0.1.a.example", false),
            ("http://127.1", false), ("http://127.0.0.+1", false), ("http://127.0.0.", false),
            ("http://128.0.0.1", false), ("http://127.a.b.c", false),
            ("http://localhost.example", false), ("http://[::2]", false),
        ]
    )
    func confidential(url: String, isConfidential: Bool) {
        #expect(Origin(url)?.isConfidential == isConfidential)
    }

    @Test("differs from the origin of a URL that only looks similar")
    func lookalikes() {
        let own = Origin("https://a.example/")
        for url in [
            "https://a.example\\@b.example/", "https://a.example@b.example/",
            "https://a.example.b.example/", "https://a.example%2f@b/",
            "https://b.example/a.example",
            "https://b.example?//a.example", "https://b.example#@a.example",
            // Each separator is the beginning of a character.
            "https://b.example/\u{301}@a.example/", "https://b.example?\u{301}@a.example/",
            "https://b.example#\u{301}@a.example/", "https://b.example:1/\u{301}@a.example",
        ] {
            #expect(Origin(url) != own, "\(url)")
        }
    }
}
