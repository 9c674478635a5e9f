import Testing

@testable import NovaBlendSalonFiles

@Suite("Names in a file of salons")
struct SimilarNameTests {
    private func problems(_ one: String, _ other: String, ids: Bool) -> [String] {
        let header = "id,name,location,open_time,close_time\n"
        let id = "5a100000-0000-4000-8000-00000000000"
        return messages(
            header + "\(ids ? id + "1" : ""),\"\(one)\",x,9:00,10:00\n"
                + "\(ids ? id + "2" : ""),\"\(other)\",x,9:00,10:00\n"
        )
    }

    @Test(
        "that differ only in white space, the form of characters, or case are errors",
        arguments: [
            ("Uno", "Uno ", "white space or invisible characters"),
            ("Uno Due", "Uno\u{A0}Due", "white space or invisible characters"),
            ("Zo\u{EB}", "Zoe\u{308}", "the Unicode form of its characters"),
            ("Uno", "uno", "case"), ("Uno", "\u{202F}UNO", "case"),
        ]
    )
    func similar(one: String, other: String, difference: String) {
        let phrase =
            "salons[1].name \"\(other)\" differs only in \(difference) from \"\(one)\", the "
            + "name of salons[0]"
        #expect(
            problems(one, other, ids: false) == [
                "error: \(phrase); write it in the same way, or give both an id (line 3, column name)"
            ]
        )
        // Both salons may exist already.
        #expect(problems(one, other, ids: true) == ["warning: \(phrase) (line 3, column name)"])
    }

    @Test(
        "that are equal are errors without ids; accents, other words, and signs make a difference"
    )
    func others() {
        #expect(problems("Uno", "Uno", ids: false).count == 1)
        for (one, other) in [("Zo\u{EB}", "Zoe"), ("Uno Due", "UnoDue"), ("Uno", "Uno.")] {
            #expect(problems(one, other, ids: false).isEmpty)
        }
    }
}
