import Networking
import Testing

@Suite("Headers", .timeLimit(.minutes(1)))
struct HeadersTests {
    private let headers: HTTPHeaders = ["A": "1", "b": "", "a": "2", "Cc": "Grüße"]

    @Test("keep their order and how they were written")
    func order() {
        #expect(headers.fields.map(\.name) == ["A", "b", "a", "Cc"])
        #expect(headers.fields.map(\.value) == ["1", "", "2", "Grüße"])
        #expect(HTTPHeaders().fields.isEmpty)
    }

    @Test("are found whatever the case of their names, the first of several")
    func lookup() {
        #expect(headers["a"] == "1" && headers["B"] == "" && headers["cC"] == "Grüße")
        #expect(headers["C"] == nil && headers["Ccc"] == nil && headers[""] == nil)
    }

    @Test("lose all of a name when it is removed, and nothing else")
    func removal() {
        var headers = headers
        headers.remove("a")
        #expect(headers == ["b": "", "Cc": "Grüße"])
        var other = headers
        other.remove("cc")
        #expect(other == ["b": ""])
        headers["CC"] = "x"
        #expect(headers.fields.map(\.name) == ["b", "CC"] && headers["cc"] == "x")
        headers["B"] = nil
        headers["cc"] = nil
        #expect(headers == HTTPHeaders() && headers.fields.isEmpty)
    }

    @Test("of an answer that are no UTF-8, or have no value, are told as well as can be")
    func answer() async throws {
        let server = try LoopbackServer { exchange in
            exchange.send("HTTP/1.1 200 OK\r\nX-A: \t b \t\r\nX-Empty:\r\nX-B: ")
            exchange.send([0x61, 0xFF, 0x62])
            exchange.send("\r\n c:d \r\nContent-Length: 0\r\n\r\n")
        }
        let answer = try await CurlHTTPClient().send(HTTPRequest(.get, server.url)).headers
        #expect(answer.fields.map(\.name) == ["X-A", "X-Empty", "X-B", "Content-Length"])
        #expect(answer.fields.map(\.value) == ["b", "", "a\u{FFFD}b c:d", "0"])
    }
}
