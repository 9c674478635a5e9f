import Testing

@testable import NovaBlendTextSearch

@Suite("The beginning of a text")
struct TextPrefixTests {
    @Test(
        "is found regardless of case and accents, but not of spaces",
        arguments: [
            ("", "", true), ("", "x", true), ("NIGHT O", "night owl", true),
            ("night", "night", true),
            ("nights", "night", false), ("nighto", "night owl", false),
            ("night ", "nightingale", false),
            ("aeg", "Ægir", true), ("æ", "aegir", true), ("strass", "Straße", true),
            ("straße ", "STRASSE 1", true), ("peluqueri", "Peluquería", true),
            ("peluquería", "PELUQUERIA", true), ("koeb", "København", true),
            ("kobe", "København", true), ("købe", "koebenhavn", true), ("e\u{301}b", "Ébène", true),
            ("x", "éx", false),
        ]
    )
    func begins(start: String, text: String, isFound: Bool) {
        #expect(TextPrefix(start).begins(text) == isFound)
    }

    @Test("of a name has the same hash as other spellings of the name")
    func hash() {
        func hash(_ text: String) -> Int {
            var text = text
            return text.withUTF8 { TextQuery.foldedHash($0) }
        }
        #expect(hash("Night Owl") == hash("NIGHTOWL") && hash("Ægir") == hash("ae gir"))
        #expect(hash("École 1") == hash("e\u{301}\u{3000}cole\u{A0}\r\n1"))
        #expect(hash("Night Owl") != hash("Night Owls") && hash("É 1") != hash("É 2"))
    }

    @Test(
        "is found in a name and a place with a space between them",
        arguments: [
            ("twin d", true), ("TWIN", true), ("twin  d", false), ("twin cork", false), ("", true),
            ("dublin", false),
        ]
    )
    func place(start: String, isFound: Bool) {
        var (name, place) = ("Twin", "Dublin")
        let found = name.withUTF8 { name in
            place.withUTF8 { TextPrefix(start).begins(name, $0) }
        }
        #expect(found == isFound)
    }
}
