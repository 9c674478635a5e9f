import Testing

@testable import JSON

@Suite("Errors in the syntax of a text")
struct SyntaxErrorTests {
    private func error(_ bytes: [UInt8]) -> JSONError? {
        do {
            _ = try JSONDocument(parsing: bytes)
            return nil
        } catch {
            return error
        }
    }

    @Test(
        "have a reason and a position",
        arguments: [
            ("", "the text is empty", 1, 1),
            (" ", "expected a value", 1, 2),
            ("{\n  \"a\": 1\n  \"b\": 2\n}", "expected a comma or }", 3, 3),
            ("[1 2]", "expected a comma or ]", 1, 4),
            ("[1,]", "expected a value", 1, 4),
            ("{\"a\":1,}", "expected a key in quotes", 1, 8),
            ("{a:1}", "expected a key in quotes", 1, 2),
            ("{\"a\" 1}", "expected a colon", 1, 6),
            ("[1]\n[2]", "expected the end of the text", 2, 1),
            ("01", "expected the end of the text", 1, 2),
            ("nul", "expected a value", 1, 1),
            ("+1", "expected a value", 1, 1),
            ("[-]", "expected a digit", 1, 3),
            ("1.", "expected a digit", 1, 3),
            ("1e+", "expected a digit", 1, 4),
            ("[\"é😀\", \"a]", "the string has no closing quote", 1, 8),
            ("\"a\nb\"", "a control character in a string must be escaped", 1, 3),
            ("\"é\\x\"", "unknown escape sequence", 1, 3),
            ("\"\\u12g4\"", "expected four hexadecimal digits", 1, 2),
            ("\"\\u+123\"", "expected four hexadecimal digits", 1, 2),
            ("\"a\\ud800\"", "half of a surrogate pair", 1, 3),
            ("\"\\ud800\\u0041\"", "half of a surrogate pair", 1, 2),
            ("\"\\udc00\\udc00\"", "half of a surrogate pair", 1, 2),
        ]
    )
    func reasons(text: String, reason: String, line: Int, column: Int) {
        let position = JSONPosition(line: line, column: column)
        #expect(error(Array(text.utf8)) == .malformed(reason: reason, position: position))
    }

    @Test("are displayed with the position")
    func description() {
        let message = error(Array("[\n1,\n]".utf8))?.description
        #expect(message == "not JSON: expected a value (line 3, column 1)")
        let number = error(Array("[1,1e400]".utf8))?.description
        #expect(number == "a number is too large for 64 bits (line 1, column 4)")
    }

    @Test("the position of bytes that are not UTF-8 is found")
    func invalidUTF8() {
        let text = Array("\"é".utf8) + [0xFF] + Array("\"".utf8)
        let position = JSONPosition(line: 1, column: 3)
        #expect(error(text) == .malformed(reason: "the text is not UTF-8", position: position))
    }

    @Test(
        "a number of more than 64 bits is a different error than a text that is not JSON",
        arguments: [
            "18446744073709551616", "-9223372036854775809", "1e309", "-1e309",
            "123456789012345678901234567890",
        ]
    )
    func largeNumbers(number: String) {
        let position = JSONPosition(line: 2, column: 5)
        #expect(error(Array("{\n\"a\":\(number)}".utf8)) == .numberOutOfRange(position: position))
    }

    @Test("are found exactly where the parser rejects a text")
    func sameTexts() {
        let text = Array(
            #" {"a":[1,-0.5e+2,true,false,null,{}],"é\u00e9\ud83d\ude00\n":"x","b":[[],2E3]} "#.utf8
        )
        var accepted = 0
        for offset in text.indices {
            var changed = text
            changed.remove(at: offset)
            accepted += compare(changed)
            for byte in UInt8.min...UInt8.max {
                changed = text
                changed[offset] = byte
                accepted += compare(changed)
            }
        }
        #expect(accepted > text.count)
    }

    /// Returns 1 if the text is JSON, otherwise 0.
    private func compare(_ text: [UInt8]) -> Int {
        let isAccepted = JSONDocument(validating: text) != nil
        let found = text.withUnsafeBytes { SyntaxCheck.error(in: $0) }
        if (found == nil) != isAccepted {
            Issue.record("\(String(decoding: text, as: UTF8.self)): \(String(describing: found))")
        }
        return isAccepted ? 1 : 0
    }
}
