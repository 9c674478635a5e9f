import HTTPServing
import SystemTestSupport
import Testing

@Suite("Requests that the HTTP server accepts", .timeLimit(.minutes(10)))
struct AcceptedRequestTests {
    /// Sends requests on one connection and returns the paths and bodies that the handler got.
    private func received(_ requests: String, count: Int = 1) throws -> [String] {
        let server = try HTTPServer { request in
            let body = await request.receivingBody()?.body ?? []
            let text =
                "\(request.method) \(request.path) \(String(decoding: body, as: UTF8.self))"
            return ServerResponse(status: 200, body: Array(text.utf8))
        }
        defer { server.stop() }
        let connection = try TCPConnection(port: server.port)
        connection.send(requests)
        return try (0..<count).map { _ in try #require(connection.response()).text }
    }

    @Test(
        "unusual, but valid requests",
        arguments: [
            ("GET http://h/a?b HTTP/1.1\r\nHost: H\r\n\r\n", "GET /a "),
            ("GET http://h HTTP/1.1\r\nHost: h\r\n\r\n", "GET / "),
            ("GET /a HTTP/1.0\r\n\r\n", "GET /a "),
            ("\r\nGET /a HTTP/1.1\r\nHost: h\r\n\r\n", "GET /a "),
            ("GET /a HTTP/1.1\r\nHost:h \t\r\nEmpty:\r\n\r\n", "GET /a "),
            ("GET /a HTTP/1.1\r\nHost: [::1]:80\r\nX: ä\tb\r\n\r\n", "GET /a "),
            ("PATCH /%61%2Fb HTTP/1.1\r\nHost: h\r\n\r\n", "PATCH /a/b "),
            ("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\nab", "POST / ab"),
            (
                "POST / HTTP/1.1\r\nHost: h\r\nContent-Type: Application/JSON; charset=utf-8\r\n"
                    + "Content-Length: 2\r\n\r\nab", "POST / ab"
            ),
            (
                "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: Chunked\r\n\r\n"
                    + "1\r\na\r\n2;x=y\r\nbc\r\n0\r\nT: 1\r\n\r\n", "POST / abc"
            ),
            ("POST / HTTP/1.1\r\nHost: h:80\r\nOrigin: http://h\r\n\r\n", "POST / "),
            ("GET / HTTP/1.1\r\nHost: h\r\nOrigin: http://other\r\n\r\n", "GET / "),
        ]
    )
    func unusual(request: String, expected: String) throws {
        #expect(try received(request) == [expected])
    }

    @Test(
        "a body whose only coding is identity, and any coding of no body",
        arguments: [
            ("identity", true), ("Identity", true), ("IDENTITY, identity", true), ("", true),
            (", ,", true), ("identity,", true), ("identity\r\ncontent-encoding: identity", true),
            ("gzip", false), ("GZIP, br", false),
        ]
    )
    func identity(coding: String, hasBody: Bool) throws {
        let head = "POST / HTTP/1.1\r\nHost: h\r\nContent-Encoding: \(coding)\r\n"
        let body = hasBody ? "Content-Length: 2\r\n\r\nab" : "\r\n"
        #expect(try received(head + body) == [hasBody ? "POST / ab" : "POST / "])
    }

    @Test("several requests that are sent at once are answered in their order")
    func pipelined() throws {
        let requests = (0..<100).map { index in
            "POST /\(index) HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\n\r\n\(index % 10)"
        }
        let answers = try received(requests.joined(), count: 100)
        #expect(answers == (0..<100).map { "POST /\($0) \($0 % 10)" })
    }

    @Test("a body of the maximum size is accepted")
    func largestBody() throws {
        let body = String(repeating: "a", count: 65_536)
        let head = "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 65536\r\n\r\n"
        #expect(try received(head + body) == ["POST / " + body])
    }

    @Test("a response to HEAD has the same fields, and no body")
    func head() throws {
        let server = try HTTPServer { _ in ServerResponse(status: 200, body: [1, 2, 3]) }
        defer { server.stop() }
        let connection = try TCPConnection(port: server.port)
        connection.send("HEAD / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
        let text = connection.remainder()
        #expect(text.hasPrefix("HTTP/1.1 200") && text.hasSuffix("\r\n\r\n"))
        #expect(text.contains("Content-Length: 3\r\n"))
    }

    @Test("a client that asks whether to send a body gets an answer first")
    func expectation() throws {
        let server = try HTTPServer { request in
            ServerResponse(status: 200, body: await request.receivingBody()?.body ?? [])
        }
        defer { server.stop() }
        let connection = try TCPConnection(port: server.port)
        connection.send(
            "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nExpect: 100-continue\r\n\r\n"
        )
        #expect(connection.response()?.status == 100)
        connection.send("x")
        #expect(connection.response()?.text == "x")
    }
}
