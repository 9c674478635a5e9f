import Testing
import WebPrimitives

@Suite("A list of entity tags")
struct EntityTagListTests {
    @Test(
        "has the tags of all its fields",
        arguments: [
            ([#""1""#], [EntityTag(opaque: "1")]),
            ([#""1","2""#], [EntityTag(opaque: "1"), EntityTag(opaque: "2")]),
            ([#"  "1" ,\#u{9}"2"  "#], [EntityTag(opaque: "1"), EntityTag(opaque: "2")]),
            (
                [#""1""#, #""2", "3""#],
                [EntityTag(opaque: "1"), EntityTag(opaque: "2"), EntityTag(opaque: "3")]
            ),
            ([#", ,"1",,"2","#], [EntityTag(opaque: "1"), EntityTag(opaque: "2")]),
            ([#"W/"1", "1""#], [EntityTag(opaque: "1", isWeak: true), EntityTag(opaque: "1")]),
            ([#""a,b", "c""#], [EntityTag(opaque: "a,b"), EntityTag(opaque: "c")]),
            ([#""*""#], [EntityTag(opaque: "*")]),
            ([#""""#], [EntityTag(opaque: "")]),
            ([#""!#~ä""#], [EntityTag(opaque: "!#~ä")]),
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
        #expect(EntityTagList.any.matchesStrongly(EntityTag(opaque: "1")))
        #expect(EntityTagList.any.matchesWeakly(EntityTag(opaque: "1", isWeak: true)))
    }

    @Test("matches a weak tag only where weak comparison applies")
    func weak() {
        let (strong, weak) = (EntityTag(opaque: "1"), EntityTag(opaque: "1", isWeak: true))
        for (list, tag, strongly, weakly) in [
            (strong, strong, true, true), (weak, strong, false, true), (strong, weak, false, true),
            (weak, weak, false, true), (EntityTag(opaque: "2"), strong, false, false),
        ] {
            #expect(EntityTagList.tags([list]).matchesStrongly(tag) == strongly)
            #expect(EntityTagList.tags([list]).matchesWeakly(tag) == weakly)
        }
    }

    @Test("has strong and weak tags, which differ")
    func strength() {
        #expect(EntityTag("\"a\"") == EntityTag(opaque: "a"))
        #expect(EntityTag("W/\"a\"") == EntityTag(opaque: "a", isWeak: true))
        #expect(EntityTag("\"a\"") != EntityTag("W/\"a\""))
    }
}
