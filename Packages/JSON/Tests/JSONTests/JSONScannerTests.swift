import JSON
import Testing

@Suite("Finding the bytes of values")
struct JSONScannerTests {
    private func parts(_ text: String) -> [String] {
        let bytes = Array(text.utf8)
        return bytes.withUnsafeBytes { buffer in
            JSONScanner.memberRanges(ofObjectIn: buffer).flatMap { member in
                [member.key, member.value].map { String(decoding: bytes[$0], as: UTF8.self) }
            }
        }
    }

    private func elements(_ text: String) -> [String] {
        let bytes = Array(text.utf8)
        return bytes.withUnsafeBytes { buffer in
            JSONScanner.elementRanges(ofArrayIn: buffer).map {
                String(decoding: bytes[$0], as: UTF8.self)
            }
        }
    }

    @Test("returns the bytes of keys and values unchanged")
    func members() {
        let text = #" { "id" : 1.50e1 , "p":{"x":["}\"",{}]},"s":"a\\","n":null } "#
        #expect(
            parts(text)
                == [#""id""#, "1.50e1", #""p""#, #"{"x":["}\"",{}]}"#, #""s""#, #""a\\""#]
                + [#""n""#, "null"]
        )
        #expect(parts("{}").isEmpty)
    }

    @Test("returns the bytes of elements unchanged")
    func arrayElements() {
        #expect(
            elements(#"[ 1, {"a":[2,3]} ,"x,y",[] ]"#) == ["1", #"{"a":[2,3]}"#, #""x,y""#, "[]"]
        )
        #expect(elements("[]").isEmpty)
    }

    @Test("invalid JSON does not trap, and all ranges are valid")
    func invalid() {
        let texts = [
            "", "{", "{\"", "{\"a\\", "{\"a\":", "[", "[\"\\", "[{", "}", "]", "[,", "[:", "{:",
        ]
        for text in texts {
            for length in 0...text.utf8.count {
                let prefix = String(decoding: Array(text.utf8).prefix(length), as: UTF8.self)
                _ = parts(prefix)
                _ = elements(prefix)
            }
        }
        #expect(elements("[1 2").count <= 2)
    }
}
