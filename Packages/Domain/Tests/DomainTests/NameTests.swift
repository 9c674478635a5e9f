import Domain
import Testing

@Suite("A name")
struct NameTests {
    @Test(
        "that differs only in white space, the form of characters, or case has the same folded form",
        arguments: [
            ("Uno", " Uno", "white space or invisible characters"),
            ("Uno Due", "Uno\u{A0}Due", "white space or invisible characters"),
            ("Uno Due", "Uno \u{202F}\tDue\r\n", "white space or invisible characters"),
            ("Uno", "U\u{200B}no\u{FEFF}", "white space or invisible characters"),
            ("Uno", "\u{200E}Uno\u{AD}", "white space or invisible characters"),
            ("Zo\u{EB}", "Zoe\u{308}", "the Unicode form of its characters"),
            ("\u{212B}", "\u{C5}", "the Unicode form of its characters"),
            ("Uno", "UNO", "case"), ("Zoë", " ZOE\u{308}", "case"), ("Straße", "STRASSE", "case"),
            ("ΛΟΓΟΣ", "λογος", "case"),
        ]
    )
    func similar(one: String, other: String, difference: String) {
        #expect(Name(one) != Name(other) && Name(one).folded == Name(other).folded)
        #expect(Name(one).difference(from: Name(other)) == difference)
        #expect(Name(other).difference(from: Name(one)) == difference)
    }

    @Test(
        "with other letters, accents, or words is different",
        arguments: [
            ("Zoë", "Zoe"), ("Uno Due", "UnoDue"), ("Uno", "Uno 2"), ("A-B", "A B"), ("", "a"),
        ]
    )
    func different(one: String, other: String) {
        #expect(Name(one).folded != Name(other).folded)
    }

    @Test("is equal only to the same characters")
    func equal() {
        #expect(Name("Zo\u{EB}") == Name("Zo\u{EB}"))
        #expect(Set([Name("Zo\u{EB}"), Name("Zoe\u{308}"), Name("Zo\u{EB}")]).count == 2)
        #expect(Name(" a \u{A0}b ").normalized == "a b" && Name(" \u{A0}").normalized == "")
    }

    @Test("is found by the same characters first, and then regardless of white space and case")
    func closest() {
        func found(_ text: String) -> [String] {
            Name.closest(to: text, in: ["Zoe", "zoe", "Zo\u{EB}", "Ida B", "Ida\u{A0}B"]) { $0 }
        }
        #expect(found("Zoe") == ["Zoe"] && found("zoe") == ["zoe"])
        #expect(found("ZOE") == ["Zoe", "zoe"])
        #expect(found("Zoe\u{308}") == ["Zo\u{EB}"] && found("zoë") == ["Zo\u{EB}"])
        #expect(found("Ida B").map(\.utf8.count) == [5])
        #expect(found("Ida  B").count == 2 && found("ida\u{202F}b").count == 2)
        #expect(found("Zo").isEmpty)
    }
}
