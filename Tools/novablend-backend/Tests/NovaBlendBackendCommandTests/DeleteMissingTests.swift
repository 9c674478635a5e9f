import BackendKit
import Foundation
import SystemTestSupport
import Testing

@Suite("salons import --delete-missing", .timeLimit(.minutes(10)))
struct DeleteMissingTests {
    private let directory: TemporaryDirectory
    private var database: String { directory.path + "/db.sqlite" }
    private let header = "name,location,open_time,close_time\n"

    init() async throws {
        directory = try TemporaryDirectory()
        let salons = header + "Uno,Here,09:00,18:00\nDue,There,09:00,18:00\nTre,x,09:00,18:00\n"
        let outcome = try await run(["salons", "import", "-"], input: Array(salons.utf8))
        try #require(outcome.code == 0, "\(outcome.errors)")
    }

    private func run(_ words: [String], input: [UInt8] = []) async throws -> CommandOutput {
        try await CommandOutput(words + ["--database", database], input: input)
    }

    private func file(_ text: String) throws -> String {
        let path = directory.path + "/salons.csv"
        try Data(text.utf8).write(to: URL(filePath: path))
        return path
    }

    private func names() async throws -> [String] {
        let export = try await run(["salons", "export", "--csv"]).output
        return export.split(separator: "\r\n").dropFirst().map {
            String($0.split(separator: ",")[1])
        }.sorted()
    }

    @Test("names the salons and asks on a terminal, and deletes only what was confirmed")
    func asks() async throws {
        let path = try file(header + "Due,There,09:00,18:00\n")
        let words = ["salons", "import", path, "--delete-missing", "--database", database]
        for answer in ["n\n", "\n", "\u{4}"] {
            let refused = try await CommandOutput(words, typing: answer)
            #expect(refused.code == 1 && refused.output.isEmpty)
            #expect(refused.errors.contains("not in the file: Uno ("))
            #expect(refused.errors.contains("not in the file: Tre ("))
            #expect(!refused.errors.contains("not in the file: Due ("))
            #expect(refused.errors.contains("Delete these 2 salons? [y/N]"))
            #expect(refused.errors.contains("nothing was changed"))
            #expect(try await names() == ["Due", "Tre", "Uno"])
        }
        let confirmed = try await CommandOutput(words, typing: "y\n")
        #expect(confirmed.code == 0, "\(confirmed.errors)")
        #expect(confirmed.output.hasSuffix("0 created, 0 changed, 1 unchanged, 2 deleted\n"))
        #expect(try await names() == ["Due"])
        // There is nothing to ask now.
        let again = try await CommandOutput(words, typing: "")
        #expect(again.code == 0 && !again.errors.contains("[y/N]"))
    }

    @Test("requires --yes without a terminal, and if the terminal is the file")
    func requiresYes() async throws {
        let path = try file(header + "Due,There,09:00,18:00\n")
        let input = Array((header + "Due,There,09:00,18:00\n").utf8)
        for (file, input) in [(path, []), ("-", input)] {
            let rejected = try await run(
                ["salons", "import", file, "--delete-missing"],
                input: input
            )
            #expect(rejected.code == 64 && rejected.output.isEmpty)
            #expect(rejected.errors.contains("--delete-missing requires --yes without a terminal"))
        }
        let typed = try await CommandOutput(
            ["salons", "import", "-", "--delete-missing", "--database", database],
            typing: String(decoding: input, as: UTF8.self) + "\u{4}y\n"
        )
        #expect(typed.code == 64)
        #expect(try await names() == ["Due", "Tre", "Uno"])
        let preview = try await run(["salons", "import", path, "--delete-missing", "--dry-run"])
        #expect(preview.code == 0 && preview.output.contains("2 deleted (dry run"))
        let outcome = try await run(["salons", "import", path, "--delete-missing", "--yes"])
        #expect(outcome.code == 0 && outcome.output.contains("2 deleted"))
        #expect(try await names() == ["Due"])
    }

    @Test(
        "deletes nothing while anything in the file could not be read",
        arguments: [
            // The row of Uno in Windows-1252.
            Array("Caf".utf8) + [0xE9] + Array(",Here,09:00,18:00\n".utf8),
            [0xE9, 0x2C, 0x2C, 0x2C, 0x0A], Array("\"Uno,Here,09:00,18:00\n".utf8),
            Array("Uno\n".utf8), Array(",,,,Uno\n".utf8), Array("#REF!,,,\n".utf8),
            [0x00, 0x0A], Array("Uno\r".utf8),
        ] as [[UInt8]]
    )
    func unreadable(row: [UInt8]) async throws {
        let input = Array((header + "Due,There,09:00,18:00\n").utf8) + row
        let words = ["salons", "import", "-", "--delete-missing", "--yes"]
        let outcome = try await run(words, input: input + Array("Tre,x,09:00,18:00\n".utf8))
        #expect(outcome.code == 65 && outcome.errors.contains("error: "), "\(outcome.errors)")
        #expect(outcome.errors.contains("(line 3"), "\(outcome.errors)")
        #expect(try await names() == ["Due", "Tre", "Uno"])
    }
}
