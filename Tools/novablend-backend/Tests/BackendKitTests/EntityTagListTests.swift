import Testing

@testable import BackendKit

@Suite("A list of entity tags")
struct EntityTagListTests {
    @Test(
        "has the tags of all its fields",
        arguments: [
            ([#""1""#], [EntityTag("1")]),
            ([#""1","2""#], [EntityTag("1"), EntityTag("2")]),
            ([#"  "1" ,\#u{9}"2"  "#], [EntityTag("1"), EntityTag("2")]),
            ([#""1""#, #""2", "3""#], [EntityTag("1"), EntityTag("2"), EntityTag("3")]),
            ([#", ,"1",,"2","#], [EntityTag("1"), EntityTag("2")]),
            ([#"W/"1", "1""#], [EntityTag("1", isWeak: true), EntityTag("1")]),
            ([#""a,b", "c""#], [EntityTag("a,b"), EntityTag("c")]),
            ([#""*""#], [EntityTag("*")]),
            ([#""""#], [EntityTag("")]),
            ([#""!#~ä""#], [EntityTag("!#~ä")]),
            ([""], []),
            ([" , "], []),
        ]
    )
    func tags(values: [String], expected: [EntityTag]) {
        #expect(EntityTagList(values) == .tags(expected))
    }

    @Test(
        "is empty if a field is invalid",
        arguments: [
            ["1"], [#""1"#], [#"1""#], [#""1" "2""#], [#"w/"1""#], [#"W"1""#], [#"W/ "1""#],
            [#"*, "1""#], ["*", "*"], [#""1""#, "*"], [#""a b""#], ["\"\u{7F}\""], ["\"\u{1}\""],
            [#""1";"2""#], ["**"], [" *"],
        ]
    )
    func invalid(values: [String]) {
        #expect(EntityTagList(values) == .tags([]))
    }

    @Test("matches everything if it is an asterisk, and does not exist without a field")
    func asterisk() {
        #expect(EntityTagList(["*"]) == .any)
        #expect(EntityTagList([]) == nil)
        #expect(EntityTagList.any.matchesStrongly(EntityTag("1")))
        #expect(EntityTagList.any.matchesWeakly(EntityTag("1", isWeak: true)))
    }

    @Test("matches a weak tag only where weak comparison applies")
    func weak() {
        let (strong, weak) = (EntityTag("1"), EntityTag("1", isWeak: true))
        for (list, tag, strongly, weakly) in [
            (strong, strong, true, true), (weak, strong, false, true), (strong, weak, false, true),
            (weak, weak, false, true), (EntityTag("2"), strong, false, false),
        ] {
            #expect(EntityTagList.tags([list]).matchesStrongly(tag) == strongly)
            #expect(EntityTagList.tags([list]).matchesWeakly(tag) == weakly)
        }
    }

    @Test("has versions only from strong tags that a version could have")
    func versions() {
        for (text, version) in [
            ("1", 1), ("0", 0), ("-1", -1), ("01", nil), ("+1", nil), ("", nil), ("1 ", nil),
            ("99999999999999999999", nil),
        ] as [(String, Int?)] {
            #expect(EntityTag(text).version == version, "\(text)")
        }
        #expect(EntityTag("1", isWeak: true).version == nil)
    }
}
