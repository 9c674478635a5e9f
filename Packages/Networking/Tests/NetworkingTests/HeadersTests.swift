import SystemTestSupport
import Testing

@testable import Networking

@Suite("Headers", .timeLimit(.minutes(10)))
struct HeadersTests {
    private let headers: HTTPHeaders = ["A": "1", "b": "", "a": "2", "Cc": "Grüße"]

    @Test("Headers keep their order and spelling")
    func order() {
        #expect(headers.fields.map(\.name) == ["A", "b", "a", "Cc"])
        #expect(headers.fields.map(\.value) == ["1", "", "2", "Grüße"])
        #expect(HTTPHeaders().fields.isEmpty)
    }

    @Test("Headers are found by name in any case, the first of several")
    func lookup() {
        #expect(headers["a"] == "1" && headers["B"] == "" && headers["cC"] == "Grüße")
        #expect(headers["C"] == nil && headers["Ccc"] == nil && headers[""] == nil)
    }

    @Test("Removing a name removes all of its fields, and no others")
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

    @Test("The last value can be continued after a field was removed")
    func foldingAfterRemoval() {
        for removed in ["A", "B", "C"] {
            var headers: HTTPHeaders = ["A": "1", "B": "2", "C": "3"]
            headers.remove(removed)
            Array("x".utf8).withUnsafeBytes { headers.fold($0) }
            let last = removed == "C" ? "B" : "C"
            let number = last == "B" ? "2" : "3"
            #expect(headers[last] == "\(number) x" && headers.fields.count == 2)
        }
        var empty = HTTPHeaders()
        Array("x".utf8).withUnsafeBytes { empty.fold($0) }
        #expect(empty == HTTPHeaders())
    }

    @Test("A well-formed header has a token as its name, and any text as its value")
    func wellFormed() {
        let tokens = ["azAZ09!#$%&'*+-.^_`|~", "a", "z", "A", "Z", "0", "9"]
        for name in tokens { #expect(malformedName(name, "") == nil) }
        for name in ["@", "[", "{", "/", ":", " ", "\u{7F}", "", "(", "é"] {
            #expect(malformedName(name, "") == name)
        }
        for value in [" ", "~", "\t", "é", ""] {
            #expect(malformedName("a", value) == nil)
        }
        for value in ["\u{1F}", "\u{7F}", "\r", "\n", "\0"] {
            #expect(malformedName("a", value) == "a")
        }
    }

    /// The name that is reported for a field between two others.
    private func malformedName(_ name: String, _ value: String) -> String? {
        HTTPHeaders(dictionaryLiteral: ("b", "c"), (name, value), ("d", "e")).malformedName
    }

    @Test("A description shows each field, but no credentials")
    func description() {
        #expect(headers.description == #"["A": "1", "b": "", "a": "2", "Cc": "Grüße"]"#)
        #expect(HTTPHeaders().description == "[:]")
        for name in ["Authorization", "cookie", "PROXY-AUTHORIZATION", "Set-Cookie"] {
            let headers: HTTPHeaders = [name: "secret", "B": "a\r\nb"]
            #expect(headers.description == #"["\#(name)": "...", "B": "a\r\nb"]"#)
        }
    }

    @Test("Headers of a response are delivered even if they are empty or not UTF-8")
    func response() async throws {
        let server = try LoopbackServer { exchange in
            exchange.send("HTTP/1.1 200 OK\r\nX-A: \t b \t\r\nX-Empty:\r\nX-B: ")
            exchange.send([0x61, 0xFF, 0x62])
            exchange.send("\r\n c:d \r\nContent-Length: 0\r\n\r\n")
        }
        let received = try await CurlHTTPClient().send(HTTPRequest(method: .get, url: server.url))
            .headers
        #expect(received.fields.map(\.name) == ["X-A", "X-Empty", "X-B", "Content-Length"])
        #expect(received.fields.map(\.value) == ["b", "", "a\u{FFFD}b c:d", "0"])
    }
}
