import Networking
import SystemTestSupport
import Testing

@Suite("Redirects", .timeLimit(.minutes(10)))
struct RedirectTests {
    @Test("A redirect loop ends at the limit")
    func loop() async throws {
        let server = try LoopbackServer { $0.reply("302 Found", headers: ["Location: /again"]) }
        let error = await CurlHTTPClient().failure(HTTPRequest(method: .get, url: server.url))
        #expect(error?.reason == .tooManyRedirects(limit: 5) && error?.mayHaveBeenSent == true)
        #expect(server.requests.count == 6)
    }

    @Test("A chain of redirects as long as the limit is followed to the end")
    func chain() async throws {
        let server = try LoopbackServer { exchange in
            guard let hop = Int(exchange.path.dropFirst()), hop > 0 else {
                return exchange.reply("200 OK", body: "end")
            }
            exchange.reply("307 Temporary Redirect", headers: ["Location: \(hop - 1)"])
        }
        let response = try await CurlHTTPClient().send(
            HTTPRequest(method: .get, url: server.url + "/5")
        )
        #expect(response.text == "end" && response.url == server.url + "/0")
    }

    @Test(
        "A redirect to another scheme is rejected",
        arguments: ["file:///etc/passwd", "ftp://127.0.0.1/", "app://open/x"]
    )
    func otherScheme(location: String) async throws {
        let server = try LoopbackServer {
            $0.reply("302 Found", headers: ["Location: \(location)"])
        }
        let error = await CurlHTTPClient().failure(HTTPRequest(method: .get, url: server.url))
        #expect(error?.reason == .redirectRejected)
    }

    @Test("A redirect to an unreachable server reports that the first request was sent")
    func deadEnd() async throws {
        let server = try LoopbackServer {
            $0.reply("302 Found", headers: ["Location: http://127.0.0.1:1/"])
        }
        let error = await CurlHTTPClient().failure(HTTPRequest(method: .get, url: server.url))
        #expect(error?.reason == .couldNotConnect && error?.mayHaveBeenSent == true)
    }

    @Test("A redirect to a different origin drops the credentials and the trace context")
    func credentials() async throws {
        let other = try LoopbackServer { $0.reply("200 OK") }
        let target = other.url
        let server = try LoopbackServer { exchange in
            let location = exchange.path == "/" ? "/same" : target + "/other"
            exchange.reply("302 Found", headers: ["Location: \(location)"])
        }
        let response = try await CurlHTTPClient().send(
            HTTPRequest(
                method: .get,
                url: server.url,
                headers: [
                    "authorization": "secret", "Cookie": "a=secret", "X-Other": "1",
                    "Proxy-Authorization": "secret", "Host": "secret.test",
                    "Traceparent": "secret", "Tracestate": "secret",
                ]
            )
        )
        #expect(response.status == 200 && response.url == target + "/other")
        #expect(server.requests.count == 2)
        #expect(server.requests.allSatisfy { $0.contains("authorization: secret") })
        let seen = try #require(other.requests.first)
        #expect(!seen.contains("secret") && !seen.lowercased().contains("authorization"))
        #expect(seen.contains("X-Other: 1") && seen.contains("Host: 127.0.0.1:\(other.port)"))
    }

    @Test(
        "A redirect within the origin keeps the credentials, however the URL is written",
        arguments: ["/b", "b", "//LOCALHOST:%/b", "http://localhost:%/b", "HTTP://LocalHost:0%/b"]
    )
    func sameOrigin(location: String) async throws {
        let server = try LoopbackServer { exchange in
            guard exchange.path == "/a" else { return exchange.reply("200 OK") }
            let rest = exchange.request.split(separator: "Host: localhost:").last ?? ""
            let target = location.replacing("%", with: rest.prefix { $0.isNumber })
            exchange.reply("302 Found", headers: ["Location: \(target)"])
        }
        let response = try await CurlHTTPClient().send(
            HTTPRequest(
                method: .get,
                url: "http://localhost:\(server.port)/a",
                headers: ["Authorization": "Bearer t", "Cookie": "a=b"]
            )
        )
        #expect(response.status == 200 && server.requests.count == 2)
        #expect(server.requests.allSatisfy { $0.contains("Authorization: Bearer t\r\n") })
        #expect(server.requests.allSatisfy { $0.contains("Cookie: a=b\r\n") })
    }

    @Test("A request that stays on its origin is not redirected elsewhere, not even back again")
    func staysOnOrigin() async throws {
        let other = try LoopbackServer { $0.reply("200 OK") }
        let target = other.url
        let server = try LoopbackServer { exchange in
            switch exchange.path {
            case "/same": exchange.reply("302 Found", headers: ["Location: /end"])
            case "/end": exchange.reply("200 OK")
            default: exchange.reply("302 Found", headers: ["Location: \(target)/back"])
            }
        }
        var request = HTTPRequest(method: .get, url: server.url + "/same")
        request.staysOnOrigin = true
        #expect(try await CurlHTTPClient().send(request).url == server.url + "/end")
        request.url = server.url + "/elsewhere"
        let error = await CurlHTTPClient().failure(request)
        #expect(error?.reason == .redirectedElsewhere && error?.mayHaveBeenSent == true)
        #expect(error?.description.hasSuffix("a different origin: \(target)") == true)
        #expect(other.accepted == 0)
    }

    @Test("A redirect to a URL with a user name or a password is rejected")
    func userInfo() async throws {
        let target = try LoopbackServer { $0.reply("200 OK") }
        let location = target.url.replacing("//", with: "//user:secret@")
        let server = try LoopbackServer {
            $0.reply("302 Found", headers: ["Location: \(location)"])
        }
        let error = await CurlHTTPClient().failure(HTTPRequest(method: .get, url: server.url))
        #expect(error == HTTPClientError(.redirectRejected, mayHaveBeenSent: true))
        #expect(target.accepted == 0)
    }

    @Test(
        "A redirect of a method other than GET and HEAD is returned, not followed",
        arguments: [301, 302, 303, 307, 308]
    )
    func post(status: Int) async throws {
        let server = try LoopbackServer {
            $0.reply("\(status) Elsewhere", headers: ["Location: /again"])
        }
        let client = CurlHTTPClient()
        for method in [HTTPMethod.post, .put, .patch, .delete] {
            let request = HTTPRequest(
                method: method,
                url: server.url,
                headers: ["Idempotency-Key": "k"]
            )
            #expect(try await client.send(request).status == status)
        }
        #expect(server.requests.count == 4)
    }
}
