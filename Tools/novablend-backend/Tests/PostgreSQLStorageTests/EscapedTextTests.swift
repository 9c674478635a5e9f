import Testing

@testable import PostgreSQLStorage

@Suite("Text in PostgreSQL")
struct EscapedTextTests {
    @Test(
        "any text is stored without NUL and read as it was",
        arguments: [
            "", "a", "\0", "a\0b\0", "\u{10FFFF}", "\u{10FFFF}0", "\0\u{10FFFF}1\u{10FFFE}",
            "ä\u{1F487}",
        ]
    )
    func escape(text: String) {
        var escaped = EscapedText.escape(text)
        #expect(!escaped.utf8.contains(0))
        #expect(escaped.withUTF8 { EscapedText.unescape($0) } == text)
    }

    @Test("text without NUL and U+10FFFF is stored as it is")
    func plain() {
        for text in ["", "a", "ä\u{1F487}", "\u{10FFFE}"] {
            #expect(EscapedText.escape(text) == text)
        }
    }
}
