import CommandLineKit
import Foundation
import Testing

@Suite("Candidates for completions")
struct CandidateTests {
    /// What the program prints for a completion script.
    private func candidates(_ words: [String]) async throws -> [String] {
        let (output, errors) = (Pipe(), Pipe())
        let terminal = Terminal(
            output: output.fileHandleForWriting.fileDescriptor,
            errors: errors.fileHandleForWriting.fileDescriptor
        )
        #expect(await Archive.program.run(["__complete"] + words, on: terminal) == .success)
        try output.fileHandleForWriting.close()
        try errors.fileHandleForWriting.close()
        #expect(try errors.fileHandleForReading.readToEnd() ?? Data() == Data())
        let printed = try output.fileHandleForReading.readToEnd() ?? Data()
        return String(decoding: printed, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// Titles without control characters.
    private let titles = Archive.titles.filter { !$0.contains { "\u{1B}\n".contains($0) } }

    @Test(
        "in bash have the quotes that make the whole word the value again",
        arguments: ["", "'", "\""]
    )
    func quotes(quote: String) async throws {
        for title in titles {
            let typed = quote + (quote.isEmpty ? "" : String(title.prefix(1)))
            let replaced = typed.dropFirst(quote.count)
            let found = try await candidates([
                "bash", "archive book add \(typed)", String(replaced),
            ])
            let line = found.map { typed.dropLast(replaced.count) + $0 + quote }
            let values = try line.map { try Shell("printf '%s' \($0)").output }
            #expect(values.contains(title), "\(found)")
        }
    }

    @Test(
        "in bash replace the part of the word that bash names",
        arguments: [
            (#"archive book add Night\ "#, #"Night\ "#, #"Night\ Owl"#),
            ("archive book add Ni", "Ni", #"Night\ Owl"#),
            ("archive book add 'Night O", "Night O", "Night Owl"),
            ("archive book add Night' O", " O", " Owl"),
            ("archive book add 14:3", "3", "30=a"), ("archive book add 14:30=", "", "a"),
            ("archive book add --from=Night", "Night", #"Night\ Owl"#),
            ("archive book add --from=", "", #"Night\ Owl"#),
            ("A=1 ./bin/archive --read-only book --copies 2 add Ni", "Ni", #"Night\ Owl"#),
        ]
    )
    func replacement(line: String, replaced: String, inserted: String) async throws {
        let found = try await candidates(["bash", line, replaced])
        #expect(found.first == inserted, "\(found)")
    }

    @Test("in zsh and fish have a summary, and no quotes", arguments: ["zsh", "fish"])
    func summaries(shell: String) async throws {
        let found = try await candidates([shell, "archive book add N"])
        #expect(found == titles.filter { $0.hasPrefix("N") }.map { "\($0)\tTITLE of book add" })
    }

    @Test(
        "depend on the values before the cursor, which need not be valid",
        arguments: [
            ("archive book add 'Night Owl' ", "after Night Owl\tNEXT of book add"),
            (#"archive book add Night\ Owl "#, "after Night Owl\tNEXT of book add"),
            (#"archive book add "a \"\$b\c" "#, #"after a "$b\c"# + "\tNEXT of book add"),
            ("archive book add --from x --copies 77 --no ", "after x\tTITLE of book add"),
            ("archive book add --from=x -- --", ""),
            ("archive book add -- -x ", "after -x\tNEXT of book add"),
            ("archive book add x --from ", "after x\t--from of book add"),
        ]
    )
    func before(line: String, found: String) async throws {
        let expected = found.isEmpty ? [] : [found]
        #expect(try await candidates(["zsh", line]) == expected)
    }

    @Test(
        "do not exist for anything else, and nothing is printed",
        arguments: [
            [], ["zsh"], ["tcsh", "archive book add "], ["zsh", ""], ["zsh", "archive"],
            ["zsh", "archive "], ["zsh", "archive book "], ["zsh", "archive lost "],
            ["zsh", "archive book add a b "], ["zsh", "archive book add --fi"],
            ["zsh", "archive book add --file "], ["zsh", "archive book add --from"],
            ["zsh", "archive book add --none="], ["zsh", "archive book remove "],
            ["bash", "archive book add Ni", "x"], ["bash", "archive book add '", "x'"],
        ]
    )
    func nothing(words: [String]) async throws {
        #expect(try await candidates(words) == [])
    }
}
