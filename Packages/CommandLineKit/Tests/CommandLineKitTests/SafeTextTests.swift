import CommandLineKit
import Foundation
import Testing

@Suite("Safe text")
struct SafeTextTests {
    @Test(
        "Safe text does not move the cursor, change colors, or change the direction of text",
        arguments: [
            ("\u{1B}[31mred\u{1B}[0m", "\u{FFFD}[31mred\u{FFFD}[0m"), ("a\nb\tc\rd", "a b c d"),
            ("a\u{9B}2Jb", "a\u{FFFD}2Jb"), ("a\u{7F}\u{8}b", "a\u{FFFD}\u{FFFD}b"),
            ("x\u{202E}y", "x\u{FFFD}y"), ("a\r\nb", "a  b"), ("Æther & Øl 💈", "Æther & Øl 💈"),
            ("a\u{2028}b", "a b"),
        ]
    )
    func safe(text: String, shown: String) {
        #expect(SafeText.line(text) == shown)
    }

    @Test("Safe text may have several lines")
    func lines() { #expect(SafeText.lines("a\u{1B}\r\nb\nc") == "a\u{FFFD}\nb\nc") }

    @Test("Safe JSON has the same value, but no control characters")
    func json() {
        let bytes = Array("[\"a\u{9B}\u{7F}é\u{A0}\"]".utf8)
        let safe = String(decoding: SafeText.json(bytes), as: UTF8.self)
        #expect(safe == "[\"a\\u009b\\u007fé\u{A0}\"]")
        for bytes in [[0xC2], [0xD8], [0xE2], [0xE2, 0x80], [0x41, 0xE2, 0x80]] as [[UInt8]] {
            #expect(SafeText.json(bytes) == bytes)
        }
    }

    @Test(
        "Safe JSON escapes exactly the unsafe characters",
        arguments: [
            0x061C...0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069, 0x7F...0x9F,
        ] as [ClosedRange<UInt32>]
    )
    func directions(range: ClosedRange<UInt32>) throws {
        for code in (range.lowerBound - 1)...(range.upperBound + 1) {
            let scalar = try #require(Unicode.Scalar(code))
            let bytes = Array("[\"a\(Character(scalar))b\"]".utf8)
            let safe = SafeText.json(bytes)
            let value = try JSONDecoder().decode([String].self, from: Data(safe))
            #expect(value.map { Array($0.unicodeScalars) } == [["a", scalar, "b"]])
            #expect((safe != bytes) == range.contains(code), "U+\(String(code, radix: 16))")
        }
    }
}
