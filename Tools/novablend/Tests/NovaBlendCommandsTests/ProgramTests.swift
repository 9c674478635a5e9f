import CommandLineKit
import Domain
import Testing

@testable import NovaBlendCommands

@Suite("The description of the program")
struct ProgramTests {
    private let program = NovaBlendProgram.program

    @Test("has no duplicate names, and an option takes the same value in every command")
    func unique() {
        #expect(Set(program.commands.map(\.name)).count == program.commands.count)
        var kinds: [String: [String]] = [:]
        for command in program.commands {
            let names = command.allOptions.map(\.name)
            #expect(Set(names).count == names.count, "\(command.name)")
            for option in command.allOptions {
                let kind = [option.spelling, option.anyKind.map { "\($0.completion)" } ?? ""]
                let known = kinds.updateValue(kind, forKey: option.name)
                #expect(known == nil || known == kind, "--\(option.name)")
            }
        }
    }

    @Test("lists required arguments before optional ones, and has an example for each command")
    func order() {
        for command in program.commands {
            let required = command.arguments.map(\.isRequired)
            #expect(required == required.sorted { $0 && !$1 }, "\(command.name)")
            #expect(!command.examples.isEmpty, "\(command.name)")
        }
    }

    @Test("has examples that can be parsed")
    func examples() throws {
        for example in program.commands.flatMap(\.examples) + program.examples {
            let line = example.line.split(separator: "| novablend").last.map { "novablend" + $0 }
            let words = Self.words(line ?? example.line)
            let index = try #require(words.firstIndex { $0.hasSuffix("novablend") })
            let own = words[(index + 1)...].prefix { !["|", ">"].contains($0) }
            _ = try CommandLineParser(program).parse(
                own.map { $0.hasSuffix(")") ? String($0.dropLast()) : $0 }
            )
        }
    }

    @Test("names the methods of a command in its help")
    func methods() {
        for command in NovaBlendProgram.methodCommands {
            let footnote = command.command.footnote ?? ""
            #expect(!command.methods.isEmpty)
            for method in command.methods { #expect(footnote.contains(method)) }
        }
    }

    @Test(
        "selects the method of a command by its arguments and options",
        arguments: [
            (["cache"], "cache/status"), (["cache", "clear"], "cache/clear"),
            (["cache", "erase", "030 1234567"], "cache/erase"),
            (["appointments"], "appointments/list"),
            (["appointments", "--ical"], "appointments/export"), (["salons"], "salons/list"),
        ]
    )
    func selection(words: [String], method: String) throws {
        let command = try #require(
            NovaBlendProgram.methodCommands.first { $0.name == words[0] }
        )
        #expect(command.call(for: try invocation(words)).method == method)
    }

    @Test(
        "accepts every policy of the methods, except the one that continues after the result",
        arguments: LoadStrategy.allCases
    )
    func policies(strategy: LoadStrategy) throws {
        let words = ["salons", "--policy", strategy.rawValue]
        let error = commandError { _ = try invocation(words) }
        #expect(error?.exitCode == (strategy == .staleWhileRevalidate ? .usage : nil))
    }

    @Test(
        "prints errors as JSON with the option --json, but not with a value or an argument like it",
        arguments: [
            (["salons", "--json"], true), (["salons", "--json", "--limit", "x"], true),
            (["salons"], false), (["salons", "--", "--json"], false),
            (["book", "a", "noon", "--phone", "1", "--notes", "--json"], false),
            (["salons", "--limit", "x", "--", "--json"], false),
        ]
    )
    func json(words: [String], isRequested: Bool) {
        #expect(NovaBlendProgram.requestsJSON(words) == isRequested)
    }

    /// The words of a shell command line that contains no quotes except single quotes.
    private static func words(_ line: String) -> [String] {
        let parts = line.split(separator: "'", omittingEmptySubsequences: false)
        if parts.count == 1 { return line.split(separator: " ").map(String.init) }
        return parts.enumerated().flatMap { index, part in
            index % 2 == 1 ? [String(part)] : part.split(separator: " ").map(String.init)
        }
    }
}
