import Networking
import SystemTestSupport
import Testing

@Suite("Misbehaving servers", .timeLimit(.minutes(10)))
struct MisbehavingServerTests {
    @Test("Closing before the announced length is reported as a lost connection")
    func short() async throws {
        let server = try LoopbackServer { exchange in
            exchange.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc")
            exchange.end()
        }
        let error = await CurlHTTPClient().failure(HTTPRequest(method: .get, url: server.url))
        #expect(error?.reason == .connectionLost && error?.mayHaveBeenSent == true)
    }

    @Test("Closing in the middle of a chunk is reported as a lost connection")
    func shortChunk() async throws {
        let server = try LoopbackServer { exchange in
            exchange.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nff\r\nabc")
            exchange.end()
        }
        let error = await CurlHTTPClient().failure(HTTPRequest(method: .get, url: server.url))
        #expect(error?.reason == .connectionLost)
    }

    @Test(
        "Sending more than the announced length cannot fake the next response",
        arguments: [2, 100_000],
        [true, false]
    )
    func long(length: Int, isLater: Bool) async throws {
        let sent = Signal()
        let server = try LoopbackServer { exchange in
            let forged = "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nforged"
            let body = String(repeating: "x", count: length)
            let response = "HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n\r\n\(body)"
            if isLater {
                exchange.send(response)
                exchange.send(forged)
            } else {
                exchange.send(response + forged)
            }
            sent.fire()
        }
        let client = CurlHTTPClient()
        for _ in 0..<10 {
            let response = try await client.send(HTTPRequest(method: .get, url: server.url))
            #expect(response.body.count == length)
            await sent.wait()
        }
        #expect(server.requests.count == 10 && server.accepted == 10)
    }

    @Test("Resetting in the middle of a body is reported as a lost connection")
    func resetBody() async throws {
        let server = try LoopbackServer { exchange in
            exchange.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc")
            exchange.reset()
        }
        let error = await CurlHTTPClient().failure(HTTPRequest(method: .get, url: server.url))
        #expect(error?.reason == .connectionLost && error?.mayHaveBeenSent == true)
    }

    @Test("A POST is not sent again to a server that resets instead of responding")
    func reset() async throws {
        let server = try LoopbackServer { $0.reset() }
        let error = await CurlHTTPClient().failure(
            HTTPRequest(method: .post, url: server.url, body: [1])
        )
        #expect(error?.reason == .connectionLost && error?.mayHaveBeenSent == true)
        #expect(server.requests.count == 1)
    }

    @Test(
        "A change is sent exactly once to a server that closes pooled connections",
        arguments: [HTTPMethod.post, .patch],
        [true, false]
    )
    func staleConnection(method: HTTPMethod, isReset: Bool) async throws {
        let server = try LoopbackServer { exchange in
            if exchange.request.hasPrefix("GET") { return exchange.reply("200 OK") }
            isReset ? exchange.reset() : exchange.end()
        }
        let client = CurlHTTPClient()
        for round in 1...5 {
            _ = try await client.send(HTTPRequest(method: .get, url: server.url))
            let error = await client.failure(
                HTTPRequest(method: method, url: server.url, body: [1])
            )
            #expect(error?.reason == .connectionLost && error?.mayHaveBeenSent == true)
            #expect(server.requests.count { $0.hasPrefix(method.rawValue) } == round)
        }
    }

    @Test("A GET is sent again on a new connection if the server closes a pooled one")
    func staleConnectionRead() async throws {
        let server = try LoopbackServer { exchange in
            // The second request on a connection gets no response and ends it.
            exchange.path == "/first" ? exchange.reply("200 OK") : exchange.end()
        }
        let client = CurlHTTPClient()
        _ = try await client.send(HTTPRequest(method: .get, url: server.url + "/first"))
        #expect(
            await client.failure(HTTPRequest(method: .get, url: server.url))?.reason
                == .connectionLost
        )
        #expect(server.requests.count == 3 && server.accepted == 2)
    }

    @Test(
        "Sending something other than HTTP is reported as malformed",
        arguments: ["garbage\r\n\r\n", "HTTP/9.9 abc\r\n\r\n", "\u{1}\u{2}\u{3}"]
    )
    func garbage(text: String) async throws {
        let server = try LoopbackServer { exchange in
            exchange.send(text)
            exchange.end()
        }
        let error = await CurlHTTPClient().failure(HTTPRequest(method: .get, url: server.url))
        #expect(error?.reason == .malformedResponse)
    }

    @Test("Sending invalid chunks is reported")
    func garbageChunk() async throws {
        let server = try LoopbackServer { exchange in
            exchange.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nabc\r\n")
            exchange.waitForClose()
        }
        let error = await CurlHTTPClient().failure(HTTPRequest(method: .get, url: server.url))
        #expect(error?.reason == .connectionLost || error?.reason == .malformedResponse)
    }

    @Test("A response with interim responses, folded lines, and trailers is understood")
    func interim() async throws {
        let server = try LoopbackServer { exchange in
            exchange.send("HTTP/1.1 103 Early Hints\r\nX-Early: 1\r\n\r\n")
            exchange.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nX-Folded: a\r\n")
            exchange.send(" Location: b\r\n\r\n2\r\nok\r\n0\r\nX-Late: 1\r\n\r\n")
        }
        let response = try await CurlHTTPClient().send(HTTPRequest(method: .get, url: server.url))
        #expect(response.text == "ok" && response.headers["X-Folded"] == "a Location: b")
        #expect(response.headers.fields.count == 2)
    }
}
