import Contract
import Testing

@Suite("Text in a question or a message")
struct VisibleTextTests {
    @Test(
        "is on one line, and shows what could hide or imitate other text",
        arguments: [
            ("ring twice", "ring twice"), ("a\nSalon: b", #"a\nSalon: b"#), ("a\r\tb", #"a\r\tb"#),
            (#"a\nb"#, #"a\\nb"#), ("a\u{1B}[2J", #"a\u{1B}[2J"#), ("a\u{9B}b", #"a\u{9B}b"#),
            ("a\u{202E}b", #"a\u{202E}b"#), ("a\u{2028}b", #"a\u{2028}b"#),
            ("a\u{200B}b", #"a\u{200B}b"#), ("a\u{A0}b", #"a\u{A0}b"#),
            ("a\u{E0041}b", #"a\u{E0041}b"#), ("a\u{E0100}b", #"a\u{E0100}b"#),
            ("Æther & Øl 💈 🧑‍🎤 ❤️", "Æther & Øl 💈 🧑‍🎤 ❤️"), ("", ""),
        ]
    )
    func line(text: String, shown: String) {
        #expect(VisibleText.line(text) == shown)
    }

    @Test("is complete up to the limit, and reports how many characters are missing beyond it")
    func limit() {
        let longest = String(repeating: "x", count: VisibleText.maximumLength)
        #expect(VisibleText.line(longest) == longest)
        #expect(VisibleText.line(longest + "yz") == longest + "... (2 more characters)")
    }
}
