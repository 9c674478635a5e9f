import Networking
import SystemTestSupport
import Testing

@Suite("Methods", .timeLimit(.minutes(10)))
struct MethodTests {
    @Test(
        "Any token is a method",
        arguments: ["PROPFIND", "get", "M-SEARCH", "!#$%&'*+-.^_`|~09azAZ", "GET"]
    )
    func token(name: String) { #expect(HTTPMethod(name)?.rawValue == name) }

    @Test(
        "Any other text, and CONNECT, is not a method",
        arguments: ["", " ", "GET ", "G T", "GET\r\n", "GÉT", "A/B", "A:B", "CONNECT"]
    )
    func noToken(name: String) { #expect(HTTPMethod(name) == nil) }

    @Test("Names are case-sensitive")
    func equality() throws {
        #expect(HTTPMethod("GET") == .get && HTTPMethod("get") != .get)
    }

    @Test("Only the methods that RFC 9110 defines as idempotent are idempotent")
    func idempotent() {
        let names = ["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE"]
        #expect(names.allSatisfy { HTTPMethod($0)?.isIdempotent == true })
        #expect(
            ["POST", "PATCH", "PROPFIND", "get"].allSatisfy {
                HTTPMethod($0)?.isIdempotent == false
            }
        )
    }

    @Test("A method is sent as it is written, with or without a body", arguments: [nil, "a"])
    func sent(body: String?) async throws {
        let server = try LoopbackServer { $0.reply("207 Multi-Status", body: "b") }
        let client = CurlHTTPClient()
        for name in ["PROPFIND", "get", "OPTIONS"] {
            let method = try #require(HTTPMethod(name))
            let request = HTTPRequest(
                method: method,
                url: server.url,
                body: body.map { Array($0.utf8) }
            )
            #expect(try await client.send(request).text == "b")
            let received = try #require(server.requests.last)
            #expect(received.hasPrefix("\(name) / HTTP/1.1\r\n"))
            #expect(received.contains("Content-Length: 1") == (body != nil))
        }
        // libcurl might resend them on a pooled connection.
        #expect(server.accepted == 3)
    }
}
