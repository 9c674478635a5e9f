import Testing

@testable import Networking

@Suite("Content-Range")
struct ContentRangeTests {
    @Test(
        "Ranges of bytes are parsed, with and without a total",
        arguments: [
            ("bytes 0-0/1", 0, 1), ("bytes 5-9/10", 5, 10), ("Bytes 5-9/*", 5, nil),
            ("bytes */10", nil, 10), ("bytes */0", nil, 0),
        ] as [(String, Int?, Int?)]
    )
    func valid(text: String, start: Int?, total: Int?) throws {
        let range = try #require(ContentRange(text))
        #expect(range.start == start && range.total == total)
    }

    @Test(
        "Any other text is not a range",
        arguments: [
            "", "bytes", "bytes 5-9", "bytes 5-9/9", "bytes 9-5/10", "bytes -5/10", "bytes 5-/10",
            "bytes */*", "bytes 5-9/x", "items 5-9/10", "bytes 5-9/10/11", "bytes 5-9-9/10",
            "bytes=5-9/10", "bytes +5-9/10", "bytes 5-9/99999999999999999999", "bytes 5-9/",
        ]
    )
    func invalid(text: String) { #expect(ContentRange(text) == nil) }

    @Test("Only an unencoded response with a strong validator can be continued")
    func validator() {
        let tag: HTTPHeaders = ["ETag": "\"a\""]
        #expect(HTTPResponse.status(200, tag).rangeValidator == "\"a\"")
        for (encoding, validator) in [("identity", "\"a\""), ("gzip", nil)] {
            var headers = tag
            headers.add("Content-Encoding", encoding)
            headers.add("Content-Length", "5")
            let response = HTTPResponse.status(200, headers)
            #expect(response.rangeValidator == validator)
            #expect(response.isSameVersion(as: "\"a\"") == (validator != nil))
            #expect(response.bodySize == (validator == nil ? nil : 5))
        }
    }
}
