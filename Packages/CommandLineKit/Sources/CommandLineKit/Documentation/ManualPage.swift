extension Program {
    /// The manual page in the format of man(7). The last line has no line feed.
    public var manualPage: String { ManualPage(program: self).text }

    /// The command `man`, which prints the manual page.
    public static func manualCommand(examples: [Command.Example] = []) -> Command {
        Command(
            "man",
            "print the manual page",
            examples: examples,
            run: { invocation, terminal throws(CommandError) in
                try terminal.print([invocation.program.manualPage])
                return .success
            }
        )
    }
}

/// Writes the manual page of a program.
struct ManualPage {
    let program: Program

    var text: String {
        (heading + synopsis + section("DESCRIPTION", program.paragraphs.map(Self.escaped))
            + section("COMMANDS", program.commands.flatMap(command))
            + section("OPTIONS", options) + section("FILES", files)
            + section("ENVIRONMENT", program.environment.flatMap(definition))
            + section("EXIT STATUS", exitCodes)).joined(separator: "\n")
    }

    private var heading: [String] {
        [
            ".TH \(program.name.uppercased()) 1 \"\" \"\(program.name) \(program.version)\""
                + " \"User Commands\"",
            ".SH NAME", "\(program.name) \\- \(Self.escaped(program.summary))",
        ]
    }

    private var synopsis: [String] {
        let lines = program.commands.flatMap { command in
            [".B \(program.name)", Self.escaped(command.synopsis + " [options]"), ".br"]
        }
        return section("SYNOPSIS", lines.dropLast())
    }

    private func command(_ command: Command) -> [String] {
        [".SS \"\(Self.escaped("\(program.name) \(command.usage)"))\""]
            + ([command.summary.capitalizingFirstLetter + "."] + command.details).map(Self.escaped)
            + command.arguments.flatMap { entry($0.name, $0.anyKind.described($0.summary) + ".") }
            + command.options.flatMap(option)
            + command.examples.flatMap { example in
                [".PP", Self.escaped("Example (\(example.summary)):"), ".PP", ".RS", ".nf"]
                    + [Self.escaped(example.line), ".fi", ".RE"]
            }
    }

    private var options: [String] {
        program.optionGroups.flatMap { group in
            [".SS \"\(Self.escaped(group.title))\""] + group.options.flatMap(option)
        } + [".SS \"All commands\""] + option(Option.help)
    }

    private var files: [String] {
        ([program.configurationFile].compactMap(\.self) + program.files).flatMap(definition)
    }

    private var exitCodes: [String] {
        program.exitCodes.flatMap { entry("\($0.code.rawValue)", $0.meaning + ".") }
    }

    /// A section, or nothing if it has no lines.
    private func section(_ title: String, _ lines: [String]) -> [String] {
        lines.isEmpty ? [] : [".SH \(title)"] + lines
    }

    private func option(_ option: any CommandOption) -> [String] {
        entry(option.spelling, option.describedSummary + ".")
    }

    private func definition(_ definition: Program.Definition) -> [String] {
        entry(
            definition.term,
            definition.meaning.hasSuffix(".") ? definition.meaning : definition.meaning + "."
        )
    }

    private func entry(_ term: String, _ meaning: String) -> [String] {
        [".TP", ".B " + Self.escaped(term), Self.escaped(meaning)]
    }

    /// Escapes text so that roff prints it unchanged: without requests, escape sequences, or
    /// typographic dashes and quotes.
    static func escaped(_ text: String) -> String {
        var roff = ""
        for character in text {
            switch character {
            case "\\": roff += "\\e"
            case "-": roff += "\\-"
            case "\"": roff += "\\(dq"
            case "'": roff += "\\(aq"
            case "^": roff += "\\(ha"
            case "~": roff += "\\(ti"
            case "`": roff += "\\(ga"
            default: roff.append(character)
            }
        }
        return roff.hasPrefix(".") ? "\\&" + roff : roff
    }
}
