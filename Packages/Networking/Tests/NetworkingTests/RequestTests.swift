import Networking
import SystemTestSupport
import Testing

@Suite("Requests", .timeLimit(.minutes(10)))
struct RequestTests {
    @Test("Method, headers, and body are sent, and the response is received")
    func exchange() async throws {
        let server = try LoopbackServer { $0.reply("201 Created", headers: ["X-A: b"], body: "ok") }
        let response = try await CurlHTTPClient().send(
            HTTPRequest(
                method: .post,
                url: server.url + "/a?b=c",
                headers: ["Content-Type": "application/json", "X-Empty": "", "X-Blank": " "],
                body: Array("{}".utf8)
            )
        )
        #expect(response.status == 201 && response.text == "ok")
        #expect(response.headers["x-a"] == "b")
        let request = try #require(server.requests.first)
        #expect(request.hasPrefix("POST /a?b=c HTTP/1.1\r\n"))
        #expect(request.hasSuffix("\r\n\r\n{}"))
        #expect(request.contains("X-Empty:\r\n") && request.contains("X-Blank:\r\n"))
        #expect(!request.contains("User-Agent") && !request.contains("Expect"))
    }

    @Test(
        "A request with a body does not contain headers that libcurl would add",
        arguments: [1, 2 << 20]
    )
    func addedHeaders(size: Int) async throws {
        let server = try LoopbackServer { $0.reply("200 OK") }
        let body = [UInt8](repeating: 0x78, count: size)
        let timeout = Duration.seconds(50)
        _ = try await CurlHTTPClient().send(
            HTTPRequest(method: .post, url: server.url, body: body, totalTimeout: timeout)
        )
        let request = try #require(server.requests.first)
        let head = request[..<(request.firstRange(of: "\r\n\r\n")?.lowerBound ?? request.endIndex)]
        let names = head.split(separator: "\r\n").dropFirst().map { $0.prefix { $0 != ":" } }
        #expect(Set(names) == ["Host", "Accept", "Accept-Encoding", "Content-Length"])
    }

    @Test("A request with an empty body states its length", arguments: [nil, []] as [[UInt8]?])
    func emptyBody(body: [UInt8]?) async throws {
        let server = try LoopbackServer { $0.reply("200 OK") }
        let client = CurlHTTPClient()
        for method in [HTTPMethod.post, .put, .patch] {
            _ = try await client.send(HTTPRequest(method: method, url: server.url, body: body))
        }
        #expect(server.requests.count == 3)
        #expect(server.requests.allSatisfy { $0.contains("Content-Length: 0\r\n") })
    }

    @Test("The response to HEAD has no body, even if it states a length")
    func head() async throws {
        let server = try LoopbackServer { $0.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n") }
        let response = try await CurlHTTPClient().send(HTTPRequest(method: .head, url: server.url))
        #expect(response.status == 200 && response.body.isEmpty)
    }

    @Test("A response of any status is returned", arguments: [204, 304, 404, 409, 500, 503])
    func statuses(status: Int) async throws {
        let server = try LoopbackServer {
            $0.send("HTTP/1.1 \(status) X\r\nContent-Length: 0\r\n\r\n")
        }
        #expect(
            try await CurlHTTPClient().send(HTTPRequest(method: .get, url: server.url)).status
                == status
        )
    }

    @Test("Each of fifty concurrent requests receives its own response")
    func many() async throws {
        let server = try LoopbackServer { $0.reply("200 OK", body: $0.path) }
        let client = CurlHTTPClient()
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<50 {
                group.addTask {
                    let url = server.url + "/\(number)"
                    return try await client.send(HTTPRequest(method: .get, url: url)).text
                        == "/\(number)"
                }
            }
            for try await isRight in group { #expect(isRight) }
        }
    }

    @Test(
        "An invalid URL, or another scheme, is rejected before anything is sent",
        arguments: [
            "", "salons", "/salons", "file:///etc/passwd", "ftp://127.0.0.1/", "http://",
            "javascript:0", "http://127.0.0.1:99999/",
        ]
    )
    func urls(url: String) async throws {
        let error = await CurlHTTPClient().failure(HTTPRequest(method: .get, url: url))
        #expect(error == HTTPClientError(.invalidURL))
    }

    @Test(
        "A URL with a character that must be percent-encoded is rejected, and the error says so",
        arguments: ["http://a b/", "http://127.0.0.1/ ", "http://127.0.0.1/\0", "http://a/\u{7F}"]
    )
    func unencodedURLs(url: String) async throws {
        let error = await CurlHTTPClient().failure(HTTPRequest(method: .get, url: url))
        let detail = "spaces and control characters must be percent-encoded"
        #expect(error == HTTPClientError(.invalidURL, detail: detail))
    }

    @Test("A URL is sent without dot segments in its path and without its fragment")
    func target() async throws {
        let server = try LoopbackServer { $0.reply("200 OK") }
        let url = server.url + "/a/../b%20c/./d?q=e+%26/../f#fragment"
        _ = try await CurlHTTPClient().send(HTTPRequest(method: .get, url: url))
        #expect(server.requests.first?.hasPrefix("GET /b%20c/d?q=e+%26/../f HTTP/1.1\r\n") == true)
    }

    @Test(
        "A user name or password in the URL is rejected, and the error contains neither",
        arguments: ["user:secret@", "secret@", ":secret@", "a%40secret:b@"]
    )
    func userInfo(text: String) async throws {
        let server = try LoopbackServer { $0.reply("200 OK") }
        let url = server.url.replacing("//", with: "//\(text)")
        let error = await CurlHTTPClient().failure(HTTPRequest(method: .get, url: url))
        #expect(error?.reason == .invalidURL && error?.mayHaveBeenSent == false)
        #expect(error?.description.contains("user name or password") == true)
        #expect(error?.description.contains("secret") == false && server.accepted == 0)
    }

    @Test(
        "A header that is not valid is rejected, and the error names it on one line",
        arguments: [
            ("A", "b\r\nC: d"), ("A", "b\nc"), ("A", "b\rc"), ("A", "b\0"), ("A b", "c"),
            ("", "c"), ("A:", "b"), ("A\r\nB", "c"), ("Ä", "b"), ("content-length", "1"),
            ("Transfer-Encoding", "chunked"),
        ]
    )
    func headers(name: String, value: String) async throws {
        let request = HTTPRequest(method: .get, url: "http://127.0.0.1:1", headers: [name: value])
        let expected = HTTPClientError(.invalidHeader, detail: name.debugDescription)
        #expect(await CurlHTTPClient().failure(request) == expected)
    }

    @Test("A request has the client's user agent unless it sets its own")
    func ownUserAgent() async throws {
        let server = try LoopbackServer { $0.reply("200 OK") }
        var configuration = CurlHTTPClient.Configuration()
        configuration.userAgent = "a/1"
        let client = CurlHTTPClient(configuration: configuration)
        _ = try await client.send(HTTPRequest(method: .get, url: server.url))
        _ = try await client.send(
            HTTPRequest(method: .get, url: server.url, headers: ["User-Agent": "b/2"])
        )
        let lines = server.requests.map { request in
            request.split(separator: "\r\n").filter { $0.hasPrefix("User-Agent:") }
        }
        #expect(lines == [["User-Agent: a/1"], ["User-Agent: b/2"]])
    }

    @Test("A user agent that is not valid is rejected")
    func userAgent() async throws {
        var configuration = CurlHTTPClient.Configuration()
        configuration.userAgent = "a\r\nB: c"
        let client = CurlHTTPClient(configuration: configuration)
        let error = await client.failure(HTTPRequest(method: .get, url: "http://127.0.0.1:1"))
        #expect(error == HTTPClientError(.invalidHeader, detail: "\"User-Agent\""))
    }

    @Test("Releasing the client closes its connections")
    func released() async throws {
        let server = try LoopbackServer { $0.reply("200 OK") }
        var client: CurlHTTPClient? = CurlHTTPClient()
        _ = try await client?.send(HTTPRequest(method: .get, url: server.url))
        #expect(server.open == 1)
        client = nil
        #expect(try await eventually { server.open == 0 })
    }

    @Test("Closing the client ends its requests, and later ones fail")
    func closing() async throws {
        let arrived = Signal()
        let server = try LoopbackServer { exchange in
            arrived.fire()
            exchange.waitForClose()
        }
        let client = CurlHTTPClient()
        async let failure = client.failure(HTTPRequest(method: .get, url: server.url))
        await arrived.wait()
        client.close()
        #expect(await failure == HTTPClientError(.closed, mayHaveBeenSent: true))
        #expect(
            await client.failure(HTTPRequest(method: .get, url: server.url))
                == HTTPClientError(.closed)
        )
    }
}
