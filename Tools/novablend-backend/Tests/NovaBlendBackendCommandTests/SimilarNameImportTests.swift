import BackendKit
import Foundation
import SystemTestSupport
import Testing

@Suite("The name of an imported salon", .timeLimit(.minutes(10)))
struct SimilarNameImportTests {
    private let directory: TemporaryDirectory
    private var database: String { directory.path + "/db.sqlite" }
    private let header = "id,name,location,open_time,close_time\n"
    private let id = "5a100000-0000-4000-8000-00000000000"

    init() async throws {
        directory = try TemporaryDirectory()
        let outcome = try await run(header + "\(id)1,Zo\u{EB} Uno,a,9:00,10:00\n")
        try #require(outcome.code == 0, "\(outcome.errors)")
    }

    private func run(_ text: String, _ words: String...) async throws -> CommandOutput {
        let command = ["salons", "import", "-", "--database", database]
        return try await CommandOutput(command + words, input: text)
    }

    private func export() async throws -> String {
        try await CommandOutput(["salons", "export", "--database", database]).output
    }

    @Test(
        "that only looks like that of a stored salon is neither a new salon nor that one",
        arguments: [
            ("Zo\u{EB} Uno ", "white space or invisible characters"),
            ("Zo\u{EB}\u{A0}Uno", "white space or invisible characters"),
            ("Zoe\u{308} Uno", "the Unicode form of its characters"), ("zo\u{EB} uno", "case"),
        ]
    )
    func similar(name: String, difference: String) async throws {
        let before = try await export()
        let stored =
            "from that of the stored salon \"Zo\u{EB} Uno\" (\(id)1); write it in the same way"
        for (row, advice) in [
            (",\(name),b,9:00,10:00\n", ", or give it the id of that salon"),
            ("\(id)2,\(name),b,9:00,10:00\n", ""),
        ] {
            for words in [[], ["--delete-missing", "--yes"]] {
                let outcome = try await CommandOutput(
                    ["salons", "import", "-", "--database", database] + words,
                    input: header + row
                )
                #expect(outcome.code == 65 && outcome.output.isEmpty)
                #expect(
                    outcome.errors == """
                        novablend-backend: the name of salons[0], "\(name)", differs only in \
                        \(difference) \(stored)\(advice)
                          note: nothing was changed

                        """
                )
            }
        }
        #expect(try await export() == before)
    }

    @Test("can be changed with the id, and an equal name wins over a similar one")
    func allowed() async throws {
        let renamed = try await run(header + "\(id)1,ZO\u{CB} UNO,a,9:00,10:00\n")
        #expect(renamed.code == 0 && renamed.output.contains("1 changed"))
        let second = try await run(header + ",Zoe Uno,a,9:00,10:00\n")
        #expect(second.code == 0 && second.output.contains("1 created"))
        let same = try await run(header + ",ZO\u{CB} UNO,b,9:00,10:00\n")
        #expect(same.code == 0 && same.output.contains("0 created, 1 changed"))
    }

    @Test("may be similar to another one that is stored already, but no file makes it so")
    func stored() async throws {
        let row = "\(id)1,Zo\u{EB} Uno,a,9:00,10:00\n"
        let similar = header + row + "\(id)2,zo\u{EB} uno,a,9:00,10:00\n"
        let rejected = try await run(similar)
        #expect(rejected.code == 65)
        #expect(
            rejected.errors.contains(
                "the name of salons[1], \"zo\u{EB} uno\", differs only in case from that of"
            )
        )
        #expect(try await run(header + row + "\(id)2,Due,a,9:00,10:00\n").code == 0)
        let both = try await run(header + row + "\(id)2,ZO\u{CB} Uno,a,9:00,10:00\n")
        #expect(both.code == 65 && both.errors.contains("differs only in case"))
    }
}
