/// The text that `--help` prints.
enum HelpText {
    /// The help of a command, or of the program if nil. The last line has no line feed.
    static func text(for command: Command?, of program: Program) -> String {
        sections(command.map { commandSections($0, program) } ?? programSections(program))
    }

    /// The help of a group of commands. The last line has no line feed.
    static func text(forGroup group: String, of program: Program) -> String {
        sections([
            (nil, ["Usage: \(program.name) \(group) COMMAND [arguments] [options]"]),
            ("Commands:", commands(program.commands(inGroup: group))),
        ])
    }

    private typealias Section = (title: String?, lines: [String])

    private static func programSections(_ program: Program) -> [Section] {
        let wrap = { WrappedText.lines($0, indent: 0) }
        let configuration = program.configurationFile.map {
            ["  " + WrappedText.lines($0.meaning, used: 2, indent: 2).joined(separator: "\n")]
        }
        let command = program.defaultCommand == nil ? "COMMAND" : "[COMMAND]"
        let description = [program.summary.capitalizingFirstLetter + "."] + program.paragraphs
        return [
            (nil, ["Usage: \(program.name) \(command) [arguments] [options]"]),
            (nil, description.flatMap(wrap)),
            ("Commands:", commands(program.commands)),
        ] + program.optionGroups.map { ("\($0.title):", options($0.options)) } + [
            ("Configuration file:", configuration ?? []),
            (
                "Environment variables:",
                program.environment.map { WrappedText.entry($0.term, $0.meaning) }
            ),
            (
                "Exit codes:",
                program.exitCodes.map {
                    WrappedText.entry("\($0.code.rawValue)", $0.meaning, column: 8)
                }
            ),
            ("Examples:", examples(program.examples)),
        ]
    }

    private static func commands(_ commands: [Command]) -> [String] {
        let column = commands.reduce(16) { max($0, $1.name.count + 4) }
        return commands.map { WrappedText.entry($0.name, $0.summary, column: column) }
    }

    private static func commandSections(_ command: Command, _ program: Program) -> [Section] {
        let usage = WrappedText.lines("\(program.name) \(command.usage)", used: 7, indent: 9)
        let details = command.details.flatMap { WrappedText.lines($0, indent: 0) }
        return [
            (nil, ["Usage: " + usage.joined(separator: "\n")]),
            (nil, [command.summary.capitalizingFirstLetter + "."] + details),
            (
                "Arguments:",
                command.arguments.map {
                    WrappedText.entry($0.name, $0.anyKind.described($0.summary))
                }
            ),
            ("Options:", options(command.options + [Option.help])),
        ] + command.optionGroups.map { ("\($0.title):", options($0.options)) } + [
            ("Examples:", examples(command.examples)),
            (nil, command.footnote.map { WrappedText.lines($0, indent: 0) } ?? []),
        ]
    }

    private static func options(_ options: [any CommandOption]) -> [String] {
        options.map { WrappedText.entry($0.spelling, $0.describedSummary) }
    }

    private static func examples(_ examples: [Command.Example]) -> [String] {
        examples.flatMap { ["  # \($0.summary)", "  \($0.line)"] }
    }

    /// The sections that have lines, separated by empty lines.
    private static func sections(_ sections: [Section]) -> String {
        sections.filter { !$0.lines.isEmpty }
            .map { ([$0.title].compactMap(\.self) + $0.lines).joined(separator: "\n") }
            .joined(separator: "\n\n")
    }
}

extension String {
    var capitalizingFirstLetter: String { prefix(1).uppercased() + dropFirst() }
}

extension CommandOption {
    /// The summary, with the possible values if ``spelling`` does not show them.
    var describedSummary: String { anyKind?.described(summary) ?? summary }
}
