import HTTPServing
import SystemTestSupport
import Testing

@Suite("Requests that the HTTP server rejects", .timeLimit(.minutes(10)))
struct RejectionTests {
    /// Sends `head` and a request that must not be answered. Returns the status.
    private func status(_ head: String) throws -> Int {
        let server = try HTTPServer {
            ServerResponse(status: await $0.receivingBody() == nil ? 298 : 299)
        }
        defer { server.stop() }
        let connection = try TCPConnection(port: server.port)
        connection.send(head + "GET /smuggled HTTP/1.1\r\nHost: h\r\n\r\n")
        let response = try #require(connection.response())
        #expect(response.field("connection") == "close")
        // libmicrohttpd 0.9.75 sends some of its own errors with two headers.
        #expect(!connection.remainder().contains("299"), "nothing is answered after the rejection")
        return response.status
    }

    @Test(
        "a request whose length is unclear",
        arguments: [
            "Content-Length: 1\r\nTransfer-Encoding: chunked",
            "Transfer-Encoding: chunked\r\nContent-Length: 1",
            "Content-Length: 0\r\nContent-Length: 5", "Content-Length: 5\r\ncontent-length: 5",
            "Content-Length: 5, 5", "Content-Length: +5", "Content-Length: -5",
            "Content-Length: 0x5", "Content-Length: ", "Content-Length: 5 5",
            "Transfer-Encoding: gzip", "Transfer-Encoding: gzip, chunked",
            "Transfer-Encoding: chunked, identity", "Transfer-Encoding: xchunked",
            "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
            "Content-Length : 5", "Content-\tLength: 5", "Transfer-Encoding: chun\u{212A}ed",
            "Transfer-Encoding: chunked ", "Transfer-Encoding: chunked\t", "Transfer-Encoding: ",
        ]
    )
    func length(fields: String) throws {
        #expect(try status("POST / HTTP/1.1\r\nHost: h\r\n\(fields)\r\n\r\n") == 400)
    }

    @Test("a length that no number can hold")
    func hugeLength() throws {
        let head = "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 99999999999999999999\r\n\r\n"
        #expect(try status(head) == 413)
    }

    @Test(
        "a missing, repeated, or invalid host",
        arguments: [
            "", "Host: a\r\nHost: a\r\n", "Host: a\r\nhost: b\r\n", "Host: \r\n", "Host: a b\r\n",
            "Host: a/b\r\n", "Host: u@a\r\n", "Host: a:b\r\n", "Host: a:70000\r\n",
            "Host: [::1\r\n", "Host: [1.2.3.4]\r\n", "Host: a,b\r\n",
        ]
    )
    func host(fields: String) throws {
        #expect(try status("GET / HTTP/1.1\r\n\(fields)\r\n") == 400)
    }

    @Test(
        "control characters, folded lines, and lines without a carriage return",
        arguments: [
            "X: a\0b\r\n", "X: a\0\r\n", "X\0Y: a\r\n", "X: a\u{1}b\r\n", "X: a\u{7F}b\r\n",
            "X: a\r\n folded\r\n", "X: a\r\n\tfolded\r\n", "X: a\nY: b\r\n", "X: a\n",
            "X: a\rb\r\n",
            "X y: a\r\n", ": a\r\n", "no colon\r\n", "X(: a\r\n",
        ]
    )
    func fields(lines: String) throws {
        #expect(try status("GET / HTTP/1.1\r\nHost: h\r\n\(lines)\r\n") == 400)
        #expect(try status("GET / HTTP/1.1\r\n\(lines)Host: h\r\n\r\n") == 400)
    }

    @Test(
        "an invalid request line",
        arguments: [
            "GET /%00", "GET /a%00b", "GET /?a=%00", "GET /?a%00=b", "GET /%0A", "GET /?a=%7F",
            "GET /a\0b", "GET /?a=\0b", "GET /a\u{1}", "GET /a b", "GET  /", "GET /%", "GET /%4",
            "GET /%zz", "GET /%C3", "GET /?a=%FF", "GET /ä", "GET /#a", "GET a",
            "GET http://other/",
            "GET http://u@h/", "GET https:///", "GET ftp://h/", "G\0T /", "G(T /", "GET /\t",
        ]
    )
    func requestLine(line: String) throws {
        #expect(try status("\(line) HTTP/1.1\r\nHost: h\r\n\r\n") == 400)
    }

    @Test(
        "an unknown version of HTTP",
        arguments: [("HTTP/2.0", 505), ("HTTP/0.9", 505), ("http", 400)]
    )
    func version(text: String, expected: Int) throws {
        #expect(try status("GET / \(text)\r\nHost: h\r\n\r\n") == expected)
    }

    @Test("a header or a target that is too large")
    func large() throws {
        let long = String(repeating: "a", count: 20_000)
        #expect(try status("GET / HTTP/1.1\r\nHost: h\r\nX: \(long)\r\n\r\n") == 431)
        #expect(try status("GET /\(long) HTTP/1.1\r\nHost: h\r\n\r\n") == 414)
    }

    @Test(
        "a body that is larger than the limit",
        arguments: [
            "Content-Length: 65537\r\n\r\n", "Content-Length: 2000000000\r\n\r\n",
            "Content-Length: 65537\r\nExpect: 100-continue\r\n\r\n",
            "Transfer-Encoding: chunked\r\n\r\n10001\r\n",
        ]
    )
    func largeBody(fields: String) throws {
        let body =
            fields.contains("2000000000") || fields.contains("Expect")
            ? "" : String(repeating: "a", count: 65_537)
        let end = fields.contains("chunked") ? "\r\n0\r\n\r\n" : ""
        let head = "POST / HTTP/1.1\r\nHost: h\r\n\(fields)\(body)\(end)"
        #expect(try status(head) == 413)
    }

    @Test(
        "a body that is not JSON",
        arguments: [
            "text/plain", "application/jsonx", "a", "", "application/json\u{37E}x",
            "application/json x",
            "application /json", "application/json\u{301}", "application/json,text/plain",
            "application/json\r\nContent-Type: text/plain",
        ]
    )
    func mediaType(type: String) throws {
        let fields = "Host: h\r\nContent-Type: \(type)\r\nContent-Length: 2"
        #expect(try status("POST / HTTP/1.1\r\n\(fields)\r\n\r\n{}") == 415)
    }

    @Test(
        "a body with a coding that is not identity",
        arguments: [
            "gzip", "GZIP", "x-gzip", "deflate", "br", "zstd", "compress", "identity, gzip",
            "gzip, identity", "identity\r\nContent-Encoding: gzip", "identity gzip", "identity;q=1",
            "identity\u{301}", "\"identity\"", "*",
        ]
    )
    func contentCoding(coding: String) throws {
        for length in [
            "Content-Length: 2\r\n\r\n{}", "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        ] {
            let head = "POST / HTTP/1.1\r\nHost: h\r\nContent-Encoding: \(coding)\r\n\(length)"
            #expect(try status(head) == 415)
        }
    }

    @Test("the response to an unsupported coding says which one is supported")
    func acceptedCoding() throws {
        let server = try HTTPServer { _ in ServerResponse(status: 200) }
        defer { server.stop() }
        func accepted(_ field: String) throws -> String? {
            let connection = try TCPConnection(port: server.port)
            connection.send("POST / HTTP/1.1\r\nHost: h\r\n\(field)\r\nContent-Length: 2\r\n\r\n{}")
            let response = try #require(connection.response())
            #expect(response.status == 415)
            return response.field("accept-encoding")
        }
        #expect(try accepted("Content-Encoding: gzip") == "identity")
        #expect(try accepted("Content-Type: text/plain") == nil)
    }

    @Test(
        "a change by a web page of another origin",
        arguments: [
            "http://other", "http://h/p", "http://h:81", "http://h.other", "null", "",
            "http://h\u{301}", "http:/\u{301}/h",
        ]
    )
    func origin(origin: String) throws {
        #expect(try status("POST / HTTP/1.1\r\nHost: h\r\nOrigin: \(origin)\r\n\r\n") == 403)
        #expect(try status("DELETE / HTTP/1.1\r\nHost: h\r\nOrigin: \(origin)\r\n\r\n") == 403)
    }
}
