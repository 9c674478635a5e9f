import Domain
import Testing

@Suite("Random identifiers")
struct RandomIdentifierTests {
    /// A generator that always returns the same word.
    private struct ConstantGenerator: RandomNumberGenerator {
        let word: UInt64

        func next() -> UInt64 { word }
    }

    @Test(
        "only the version and variant bits of RFC 9562 are fixed",
        arguments: [
            (0, "00000000-0000-4000-8000-000000000000"),
            (UInt64.max, "ffffffff-ffff-4fff-bfff-ffffffffffff"),
            (0x0123_4567_89AB_CDEF, "01234567-89ab-4def-8123-456789abcdef"),
        ]
    )
    func bits(word: UInt64, expected: String) {
        var generator = ConstantGenerator(word: word)
        #expect(Identifier.random(using: &generator).description == expected)
    }

    @Test("a thousand random identifiers are all different")
    func distinct() {
        #expect(Set((0..<1_000).map { _ in Identifier.random() }).count == 1_000)
    }
}
