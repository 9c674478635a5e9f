import Testing
import WebPrimitives

@Suite("Text and bytes")
struct BytesTests {
    @Test(
        "FNV-1a has the published results",
        arguments: [
            ("", 0xCBF2_9CE4_8422_2325), ("a", 0xAF63_DC4C_8601_EC8C),
            ("foobar", 0x8594_4171_F739_67E8),
        ] as [(String, UInt64)]
    )
    func hash(text: String, expected: UInt64) { #expect(FNV1a.hash(text.utf8) == expected) }

    @Test("The fast hash depends on every byte and on the length")
    func fastHash() {
        let bytes = [UInt8](repeating: 0, count: 19)
        var hashes = Set((0...19).map { FNV1a.fastHash(Array(bytes.prefix($0))) })
        for index in bytes.indices {
            var changed = bytes
            changed[index] = 1
            hashes.insert(FNV1a.fastHash(changed))
        }
        #expect(hashes.count == 39)
    }

    @Test("Everything except unreserved characters is percent-encoded")
    func percentEncoding() {
        #expect("AZaz09-._~".percentEncoded == "AZaz09-._~")
        #expect("a b&c=ä%/+\0".percentEncoded == "a%20b%26c%3D%C3%A4%25%2F%2B%00")
    }
}
