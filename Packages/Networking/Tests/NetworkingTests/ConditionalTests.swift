import Networking
import SystemTestSupport
import Testing
import WebPrimitives

@Suite("Validators", .timeLimit(.minutes(10)))
struct ConditionalTests {
    private static let date = "Sun, 06 Nov 1994 08:49:37 GMT"

    private func response(_ headers: HTTPHeaders) -> HTTPResponse { .status(200, headers) }

    @Test(
        "Validators make the next request conditional, and a 304 is returned like any response",
        arguments: ["\"a\"", "W/\"a\"", "\"\"", "\"ä,;\\\"", nil]
    )
    func notModified(tag: String?) async throws {
        let fields = (tag.map { ["ETag: \($0)"] } ?? []) + ["Last-Modified: \(Self.date)"]
        let server = try LoopbackServer { exchange in
            let tagIsSent = tag.map { exchange.request.contains("If-None-Match: \($0)\r\n") }
            guard tagIsSent ?? !exchange.request.contains("If-None-Match"),
                exchange.request.contains("If-Modified-Since: \(Self.date)\r\n")
            else { return exchange.reply("200 OK", headers: fields, body: "cached") }
            exchange.send("HTTP/1.1 304 Not Modified\r\nX-A: b\r\nContent-Length: 4\r\n\r\n")
        }
        let client = CurlHTTPClient()
        var request = HTTPRequest(method: .get, url: server.url)
        let first = try await client.send(request)
        #expect(first.text == "cached")
        try #require(Validators(first)).apply(to: &request)
        for _ in 0..<2 {
            let second = try await client.send(request)
            #expect(second.status == 304 && second.body.isEmpty)
            #expect(second.headers["X-A"] == "b")
        }
    }

    @Test(
        "Malformed headers are not validators",
        arguments: [
            [:], ["ETag": "a"], ["ETag": "\"a"], ["ETag": "\""], ["ETag": "w/\"a\""],
            ["ETag": "\"a b\""], ["ETag": "\"a\"b\""], ["ETag": "\"\u{FFFD}\""],
            ["ETag": "\"a\r\nX: b\""], ["ETag": ""], ["Last-Modified": "yesterday"],
            ["Last-Modified": "\(date)\r\nX: b"],
        ] as [HTTPHeaders]
    )
    func none(headers: HTTPHeaders) {
        #expect(Validators(response(headers)) == nil)
    }

    @Test(
        "Validators can be stored as text and parsed again",
        arguments: [
            ["ETag": "\"a\""], ["Last-Modified": date], ["ETag": "W/\"a\"", "Last-Modified": date],
            ["ETag": "junk", "Last-Modified": date], ["ETag": "\"a\"", "Last-Modified": "junk"],
        ] as [HTTPHeaders]
    )
    func stored(headers: HTTPHeaders) throws {
        let validators = try #require(Validators(response(headers)))
        #expect(Validators(String(validators)) == validators)
    }

    @Test(
        "Damaged text is not parsed as validators",
        arguments: [
            "", "\n", "\"a\"", "\"a\"\n\n", "a\n", "\"a\nb\"\n", "\njunk", "\"a\"\njunk",
            "junk\n\(date)", "\"a\"\r\n\(date)",
        ]
    )
    func damaged(text: String) {
        #expect(Validators(text) == nil)
    }

    @Test("Validators replace those of the request, and apply only to GET and HEAD")
    func apply() throws {
        let validators = try #require(Validators(response(["ETag": "\"b\""])))
        var request = HTTPRequest(
            method: .get,
            url: "http://a.test/",
            headers: ["If-None-Match": "\"a\"", "If-Modified-Since": Self.date, "Accept": "a"]
        )
        validators.apply(to: &request)
        #expect(request.headers == ["Accept": "a", "If-None-Match": "\"b\""])
        var put = HTTPRequest(method: .put, url: "http://a.test/", body: [])
        validators.apply(to: &put)
        #expect(put.headers.fields.isEmpty)
    }
}
