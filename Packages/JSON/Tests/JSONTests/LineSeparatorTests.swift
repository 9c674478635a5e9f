import JSON
import Testing

@Suite("Line separators")
struct LineSeparatorTests {
    private func escaped(_ text: String) -> String {
        JSONFragment(trusted: Array(text.utf8)).escapingLineSeparators().description
    }

    @Test(
        "U+2028 and U+2029 become escape sequences; every other character stays",
        arguments: [
            ("\"\u{2028}\"", #""\u2028""#), ("\"\u{2029}\"", #""\u2029""#),
            ("\"a\u{2028}\u{2029}b\u{2028}\"", #""a\u2028\u2029b\u2028""#),
            ("{\"\u{2029}\":1}", #"{"\u2029":1}"#),
            ("\"\u{2027}\u{202A}\u{20A8}\u{1028}€\"", "\"\u{2027}\u{202A}\u{20A8}\u{1028}€\""),
            ("\"😀Ω中“”\"", "\"😀Ω中“”\""), ("\"\"", "\"\""), ("1", "1"),
        ]
    )
    func characters(text: String, expected: String) {
        #expect(escaped(text) == expected)
    }

    @Test("they are found at every offset, also near the end")
    func offsets() {
        for length in 0..<70 {
            let fill = String(repeating: "x", count: length)
            #expect(escaped("\"\(fill)\u{2028}\"") == "\"\(fill)\\u2028\"")
            #expect(escaped("\"\u{2029}\(fill)\"") == "\"\\u2029\(fill)\"")
        }
        #expect(escaped("\u{2028}") == "\\u2028")
    }

    @Test("the bytes of spliced values are escaped, too, and the value stays the same")
    func splices() throws {
        let fill = String(repeating: "x", count: 40_000)
        let large = JSONFragment { $0.string("\(fill)\u{2028}\(fill)") }.bytes
        let plain = JSONFragment { $0.string(fill) }.bytes
        let whole = JSONFragment { writer in
            writer.array { writer in
                writer.string("\u{2029}")
                writer.splice(plain[...])
                writer.string("é\u{2028}")
                writer.splice(large[...])
                writer.string("end")
            }
        }
        let escaped = whole.escapingLineSeparators()
        #expect(escaped.count == escaped.bytes.count && escaped.count == whole.count + 9)
        #expect(!escaped.description.unicodeScalars.contains("\u{2028}"))
        let values = try JSONDocument(parsing: escaped.bytes).root.array().map { try $0.string() }
        #expect(values == ["\u{2029}", fill, "é\u{2028}", "\(fill)\u{2028}\(fill)", "end"])
    }

    @Test("a value without them is not copied")
    func shared() {
        let bytes = JSONFragment { $0.string(String(repeating: "é", count: 1_000)) }
        let escaped = bytes.escapingLineSeparators()
        let address = { (value: JSONFragment) in value.bytes.withUnsafeBytes { $0.baseAddress } }
        #expect(address(bytes) == address(escaped))
    }
}
