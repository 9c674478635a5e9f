import JSON
import Testing

@Suite("Quoting strings")
struct JSONQuotingTests {
    /// RFC 8259, section 7, a byte at a time.
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

    @Test("every character below U+0100 is quoted alike wherever it stands", arguments: 0..<40)
    func everywhere(before: Int) {
        for scalar in (0..<0x100).compactMap(Unicode.Scalar.init) {
            for after in [0, 1, 2, 5, 9, 15, 16, 17, 31, 33] {
                let text =
                    String(repeating: "a", count: before) + String(Character(scalar))
                    + String(repeating: "z", count: after)
                #expect(written(text) == quoted(text))
            }
        }
    }

    @Test("neighbours do not hide each other", arguments: 0..<16)
    func neighbours(before: Int) {
        let marks = ["\"", "\\", "\u{1F}", "\0", " ", "!", "#", "[", "]", "\u{7F}", "é", "😀"]
        for first in marks {
            for second in marks {
                for after in ["and more text", "and more text than is looked at with one load"] {
                    let text = String(repeating: "x", count: before) + first + second + after
                    #expect(written(text) == quoted(text))
                }
            }
        }
    }

    @Test("the keys of an object are quoted like any string")
    func keys() {
        let text = JSONFragment { writer in
            writer.object { writer in
                writer.member("a \"long\" key\n", 1)
                writer.member("a \"long\" key\n" as String, .null)
            }
        }
        let key = quoted("a \"long\" key\n")
        #expect(text.description == "{\(key):1,\(key):null}")
    }

    @Test(
        "a long text is quoted alike in all its chunks",
        arguments: [15, 16, 17, 31, 32, 33, 47, 48, 49, 511, 512, 513, 1_024, 5_000]
    )
    func long(length: Int) {
        for filling in ["a", "\"", "\u{1}", "ab\"c\\", "é\n"] {
            let text = String(String(repeating: filling, count: length).prefix(length))
            #expect(written(text) == quoted(text))
        }
    }

    @Test("JSON within JSON is a string of its text")
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
