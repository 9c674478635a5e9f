import JSON
import Testing

@testable import JSONRPC

@Suite("Request ids")
struct RequestIDTests {
    private func key(_ text: String) throws -> [UInt8] {
        let bytes = Array(text.utf8)
        return RequestID(bytes: bytes, try JSONDocument(parsing: bytes).root).key
    }

    @Test(
        "have the same key for every spelling",
        arguments: [("1.50", "1.5"), ("-0.50", "-0.5"), (#""\u0061""#, #""a""#), ("7", "7")]
    )
    func spellings(one: String, other: String) throws {
        #expect(try key(one) == key(other))
    }

    @Test("of different types have different keys")
    func types() throws {
        #expect(try key("1") != key(#""1""#))
    }
}
