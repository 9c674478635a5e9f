import Testing

@testable import NovaBlendAccounts

@Suite("URLs of the server")
struct EndpointURLTests {
    @Test(
        "a path is appended before the query of a URL",
        arguments: [
            ("http://a", "x", "http://a/x"), ("http://a/", "/x", "http://a/x"),
            ("http://a/b//", "x/y", "http://a/b/x/y"), ("http://a?k=1", "x", "http://a/x?k=1"),
            ("http://a/b/?k=1&l=/#top", "x", "http://a/b/x?k=1&l=/"),
            ("http://a?", "x", "http://a/x"),
            ("http://a#b?c", "x", "http://a/x"), ("", "x", "/x"),
        ]
    )
    func path(url: String, path: String, expected: String) {
        #expect(EndpointURL(url).appending(path: path).text == expected)
    }

    @Test(
        "query items are appended to the query of a URL",
        arguments: [
            ("http://a/x", "http://a/x?from=1%2B2&%26=%3D"),
            ("http://a/x?", "http://a/x?from=1%2B2&%26=%3D"),
            ("http://a/x?k=1?", "http://a/x?k=1?&from=1%2B2&%26=%3D"),
            ("http://a/x?k#top", "http://a/x?k&from=1%2B2&%26=%3D"),
        ]
    )
    func query(url: String, expected: String) {
        #expect(EndpointURL(url).adding([("from", "1+2"), ("&", "=")]).text == expected)
        #expect(EndpointURL("http://a/x?k").adding([]).text == "http://a/x?k")
    }

    @Test("the query of a base URL is part of every URL below it")
    func base() {
        let endpoints = Endpoints(base: "http://a/v1/?key=1")
        #expect(endpoints.salons == "http://a/v1/salons?key=1")
        #expect(endpoints.appointments == "http://a/v1/appointments?key=1")
        #expect(endpoints.availability == "http://a/v1/salons/{id}/availability?key=1")
        #expect(endpoints.holds == "http://a/v1/holds?key=1")
        #expect(endpoints.url(of: "movies") == "http://a/v1/movies?key=1")
    }
}
