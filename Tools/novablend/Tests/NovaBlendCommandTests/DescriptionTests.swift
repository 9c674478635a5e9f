import Testing

@testable import NovaBlendCommand

@Suite("The description of the commands")
struct DescriptionTests {
    @Test("names nothing twice, and one option means the same in every command")
    func unique() {
        #expect(Set(Command.all.map(\.name)).count == Command.all.count)
        var kinds: [String: ValueKind?] = [:]
        for command in Command.all {
            let names = command.options.map(\.name)
            #expect(Set(names).count == names.count, "\(command.name)")
            for option in command.options {
                let known = kinds.updateValue(option.kind, forKey: option.name)
                #expect(known == nil || known == .some(option.kind), "--\(option.name)")
            }
        }
    }

    @Test("has arguments that must be there before those that need not")
    func order() {
        for command in Command.all {
            let required = command.arguments.map(\.isRequired)
            #expect(required == required.sorted { $0 && !$1 }, "\(command.name)")
        }
    }

    @Test("is all in the help", arguments: Command.all.map(\.name))
    func help(name: String) throws {
        let command = try #require(Command.all.first { $0.name == name })
        let text = HelpText.of(command)
        for option in command.options { #expect(text.contains("  --\(option.name)")) }
        for argument in command.arguments { #expect(text.contains("  \(argument.name)")) }
        for example in command.examples { #expect(text.contains(example.line)) }
        for method in command.methods { #expect(text.contains(method)) }
        #expect(!command.examples.isEmpty && HelpText.of(nil).contains("  \(name) "))
    }

    @Test("has examples that the parser takes")
    func examples() throws {
        for example in Command.all.flatMap(\.examples) {
            let line = example.line.split(separator: "| novablend").last.map { "novablend" + $0 }
            let words = Self.words(line ?? example.line)
            let place = try #require(words.firstIndex { $0.hasSuffix("novablend") })
            let own = words[(place + 1)...].prefix { !["|", ">"].contains($0) }
            _ = try CommandLineParser().parse(
                own.map { $0.hasSuffix(")") ? String($0.dropLast()) : $0 }
            )
        }
    }

    @Test("gives every exit code a meaning of its own")
    func codes() {
        let meanings = ExitCode.allCases.map(\.meaning)
        #expect(Set(meanings).count == meanings.count)
    }

    /// The words of a line of a shell, where single quotes are the only ones.
    private static func words(_ line: String) -> [String] {
        let pieces = line.split(separator: "'", omittingEmptySubsequences: false)
        if pieces.count == 1 { return line.split(separator: " ").map(String.init) }
        return pieces.enumerated().flatMap { place, piece in
            place % 2 == 1 ? [String(piece)] : piece.split(separator: " ").map(String.init)
        }
    }
}
