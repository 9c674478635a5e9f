import JSON
import Testing

@Suite("Quoting strings")
struct JSONQuotingTests {
    /// A simple implementation of RFC 8259, section 7, to compare with.
    private func quoted(_ text: String) -> String {
        let escapes: [UInt8: String] = [
            0x22: #"\""#, 0x5C: #"\\"#, 0x0A: #"\n"#, 0x0D: #"\r"#, 0x09: #"\t"#,
        ]
        var bytes = Array("\"".utf8)
        for byte in text.utf8 {
            if let escape = escapes[byte] {
                bytes += escape.utf8
            } else if byte < 0x20 {
                bytes += (byte < 0x10 ? "\\u000" : "\\u00").utf8
                bytes += String(byte, radix: 16).utf8
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self) + "\""
    }

    private func written(_ text: String) -> String { JSONFragment { $0.string(text) }.description }

    @Test("every character below U+0100 is escaped correctly at every position", arguments: 0..<40)
    func everyPosition(before: Int) {
        for scalar in (0..<0x100).compactMap(Unicode.Scalar.init) {
            for after in [0, 1, 2, 5, 9, 15, 16, 17, 31, 33] {
                let text =
                    String(repeating: "a", count: before) + String(Character(scalar))
                    + String(repeating: "z", count: after)
                #expect(written(text) == quoted(text))
            }
        }
    }

    @Test("adjacent characters are each escaped correctly", arguments: 0..<16)
    func adjacentCharacters(before: Int) {
        let characters = ["\"", "\\", "\u{1F}", "\0", " ", "!", "#", "[", "]", "\u{7F}", "é", "😀"]
        for first in characters {
            for second in characters {
                for after in ["and more text", "and more text than fits in one vector register"] {
                    let text = String(repeating: "x", count: before) + first + second + after
                    #expect(written(text) == quoted(text))
                }
            }
        }
    }

    @Test("keys are escaped like other strings")
    func keys() {
        let text = JSONFragment.object { writer in
            writer.member("a \"long\" key\n", 1)
            writer.member(named: "a \"long\" key\n", JSONFragment.null)
        }
        let key = quoted("a \"long\" key\n")
        #expect(text.description == "{\(key):1,\(key):null}")
    }

    @Test(
        "long strings are escaped correctly across chunks",
        arguments: [15, 16, 17, 31, 32, 33, 47, 48, 49, 511, 512, 513, 1_024, 5_000]
    )
    func long(length: Int) {
        for filling in ["a", "\"", "\u{1}", "ab\"c\\", "é\n"] {
            let text = String(String(repeating: filling, count: length).prefix(length))
            #expect(written(text) == quoted(text))
        }
    }

    @Test("JSON inside JSON becomes a string")
    func nested() throws {
        let inner = JSONFragment { $0.object { $0.member("a", "\"é\n") } }
        let outer = JSONFragment { writer in
            writer.array { writer in
                writer.string(textOf: inner)
                writer.string(textOf: .null)
            }
        }
        let array = try JSONDocument(parsing: outer.bytes).root.array()
        #expect(try array.map { try $0.string() } == [inner.description, "null"])
    }
}
