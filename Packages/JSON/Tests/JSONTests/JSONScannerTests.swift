import JSON
import Testing

@Suite("Finding the bytes of parts")
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

    @Test("members are found with their bytes unchanged")
    func members() {
        let text = #" { "id" : 1.50e1 , "p":{"x":["}\"",{}]},"s":"a\\","n":null } "#
        #expect(
            parts(text)
                == [#""id""#, "1.50e1", #""p""#, #"{"x":["}\"",{}]}"#, #""s""#, #""a\\""#]
                + [#""n""#, "null"]
        )
        #expect(parts("{}").isEmpty)
    }

    @Test("elements are found with their bytes unchanged")
    func arrayElements() {
        #expect(
            elements(#"[ 1, {"a":[2,3]} ,"x,y",[] ]"#) == ["1", #"{"a":[2,3]}"#, #""x,y""#, "[]"]
        )
        #expect(elements("[]").isEmpty)
    }

    @Test("text that is no JSON gives ranges within it and never traps")
    func garbage() {
        let seeds = [
            "", "{", "{\"", "{\"a\\", "{\"a\":", "[", "[\"\\", "[{", "}", "]", "[,", "[:", "{:",
        ]
        for text in seeds {
            for length in 0...text.utf8.count {
                let cut = String(decoding: Array(text.utf8).prefix(length), as: UTF8.self)
                _ = parts(cut)
                _ = elements(cut)
            }
        }
        #expect(elements("[1 2").count <= 2)
    }
}
