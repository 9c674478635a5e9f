import Testing

@testable import CommandLineKit

@Suite("Columns of a terminal")
struct DisplayWidthTests {
    @Test(
        "Columns are counted as a terminal draws them",
        arguments: [
            ("", 0), ("abc", 3), ("Jægersborggade", 14), ("e\u{301}", 1), ("日本語", 6), ("한국", 4),
            ("ｱ", 1), ("Ａ", 2), ("💈", 2), ("👩‍👩‍👧", 2), ("🇩🇪", 2), ("❤️", 2), ("a\u{200B}b", 2),
            ("ا\u{64B}", 1), ("…", 1), ("〿", 1),
        ]
    )
    func width(text: String, columns: Int) {
        #expect(DisplayWidth.of(text) == columns)
    }

    @Test("A prefix ends before a character that does not fit")
    func prefix() {
        #expect(DisplayWidth.prefix(of: "日本語", columns: 5) == "日本")
        #expect(DisplayWidth.prefix(of: "ae\u{301}b", columns: 2) == "ae\u{301}")
        #expect(DisplayWidth.prefix(of: "ab", columns: 9) == "ab")
    }
}
