import JSON
import Testing

@Suite("Text encodings")
struct JSONEncodingTests {
    private func errorMessage(_ bytes: [UInt8]) -> String? {
        do {
            _ = try JSONDocument(parsing: bytes)
            return nil
        } catch {
            return error.description
        }
    }

    private static func wide(
        _ text: String,
        _ width: Int,
        isBigEndian: Bool,
        hasMark: Bool
    ) -> [UInt8] {
        let units = (hasMark ? [0xFEFF] : []) + text.unicodeScalars.map { Int($0.value) }
        return units.flatMap { unit in
            let bytes = (0..<width).map { UInt8(truncatingIfNeeded: unit >> (8 * $0)) }
            return isBigEndian ? bytes.reversed() : bytes
        }
    }

    @Test(
        "the error names UTF-16 and UTF-32, for any byte order, with or without a byte order mark",
        arguments: [2, 4],
        [true, false]
    )
    func wide(width: Int, isBigEndian: Bool) {
        for hasMark in [true, false] {
            for text in ["{}", #"{"a":1}"#, "[]"] {
                let bytes = Self.wide(text, width, isBigEndian: isBigEndian, hasMark: hasMark)
                let expected =
                    "the text is UTF-\(8 * width); JSON must be plain UTF-8 (RFC 8259, section 8.1)"
                #expect(errorMessage(bytes) == expected)
            }
        }
    }

    @Test("a byte order mark is an error, or is skipped in received text")
    func byteOrderMark() throws {
        let bytes = [0xEF, 0xBB, 0xBF] + Array(#"{"a":1}"#.utf8)
        #expect(errorMessage(bytes)?.contains("a byte order mark") == true)
        let root = try JSONDocument(received: bytes).root
        #expect(try root.object().required("a").integer() == 1)
        let plain = try JSONDocument(received: Array("1".utf8)).root
        #expect(try plain.integer() == 1)
        for invalid in [
            [0xEF, 0xBB, 0xBF], [0xEF, 0xBB, 0xBF, 0xEF, 0xBB, 0xBF, 0x31], [0xEF, 0xBB],
        ] {
            #expect(throws: JSONError.self) {
                try JSONDocument(received: invalid.map(UInt8.init))
            }
        }
    }

    @Test(
        "malformed text in UTF-8 is not reported as a different encoding",
        arguments: ["{", "{\0", "\0\0\0\0", "7\0\0", ""]
    )
    func malformed(text: String) {
        #expect(errorMessage(Array(text.utf8))?.hasPrefix("not JSON: ") == true)
    }
}
