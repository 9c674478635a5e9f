import Testing

@testable import SystemSupport

@Suite("Mistyped names")
struct NearestNameTests {
    @Test(
        "A name has a distance from another name",
        arguments: [
            ("", "abc", 3), ("book", "bok", 1), ("slost", "slots", 1), ("abc", "abc", 0),
            ("ab", "xaby", 2), ("abcd", "badc", 2), ("aa", "aa", 0),
        ]
    )
    func distance(first: String, second: String, steps: Int) {
        #expect(NearestName.distance(first, second) == steps)
        #expect(NearestName.distance(second, first) == steps)
    }

    @Test("The closest name is suggested if at most a third of it differs")
    func suggestion() {
        #expect(NearestName.suggestion(for: "boko", among: ["bank", "book"]) == "book")
        #expect(NearestName.suggestion(for: "boo", among: ["book", "boom"]) == "book")
        #expect(NearestName.suggestion(for: "abcdxx", among: ["abcdef"]) == "abcdef")
        #expect(NearestName.suggestion(for: "abcxxx", among: ["abcdef"]) == nil)
        #expect(NearestName.suggestion(for: "a", among: ["b"]) == "b")
        #expect(NearestName.suggestion(for: "BOOKID", among: ["bookId"]) == "bookId")
        #expect(NearestName.suggestion(for: "startDate", among: ["end", "start"]) == "start")
        #expect(NearestName.suggestion(for: "salon", among: ["salonId", "start"]) == "salonId")
        let tools = ["notes_list", "notes_add", "tags_list"]
        #expect(NearestName.suggestion(for: "add_note", among: tools) == "notes_add")
        #expect(NearestName.suggestion(for: "my_tags_list", among: tools) == "tags_list")
        #expect(NearestName.suggestion(for: "list", among: tools) == nil)
        #expect(NearestName.hint(for: "zzzz", among: ["book", "man"]) == "")
    }
}
