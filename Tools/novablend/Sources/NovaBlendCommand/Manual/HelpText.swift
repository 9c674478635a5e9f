import NovaBlendConfiguration

/// What `--help` prints.
enum HelpText {
    /// That of a command, or of the program.
    static func of(_ command: Command?) -> String { command.map(text) ?? program }

    private static var program: String {
        let commands = Command.all.map { Wrapping.entry($0.name, $0.summary, column: 16) }
        let codes = ExitCode.allCases.map {
            Wrapping.entry("\($0.rawValue)", $0.meaning, column: 8)
        }
        return sections([
            ("Usage: novablend COMMAND [arguments] [options]", []),
            (
                "",
                [
                    "Lists salons, books appointments and shows what was booked, online or offline.",
                    "Results are on standard output, all else is on standard error.",
                ]
            ),
            ("Commands:", commands),
            ("Where the remote and what is kept are:", options(Option.connection)),
            (
                "Configuration file:",
                [
                    "  "
                        + Wrapping.lines(Manual.configuration, first: 2, indent: 2).joined(
                            separator: "\n"
                        )
                ]
            ),
            ("Environment variables:", Manual.environment.map { Wrapping.entry($0.name, $0.text) }),
            ("Exit codes, which are stable:", codes),
            ("Try it:", ["  novablend salons --sandbox", "  novablend help book"]),
        ])
    }

    private static func text(_ command: Command) -> String {
        let isConnected = command.options.contains { $0.name == "base-url" }
        let own =
            command.ownOptions + command.options.filter { ["json", "help"].contains($0.name) }
        let details = command.details.flatMap { Wrapping.lines($0, indent: 0) }
        return sections([
            ("Usage: \(usage(command))", []),
            ("", [capitalized(command.summary) + "."] + details),
            ("Arguments:", command.arguments.map { Wrapping.entry($0.name, Manual.describe($0)) }),
            ("Options:", options(own)),
            (
                "Where the remote and what is kept are:",
                isConnected ? options(Option.connection) : []
            ),
            ("Examples:", command.examples.flatMap { ["  # \($0.summary)", "  \($0.line)"] }),
            (
                "",
                command.methods.isEmpty
                    ? []
                    : ["It gives what JSON-RPC gives: " + command.methods.joined(separator: ", ")]
            ),
        ])
    }

    private static func usage(_ command: Command) -> String {
        Wrapping.lines(command.usage, first: 7, indent: 9).joined(separator: "\n")
    }

    private static func options(_ options: [Option]) -> [String] {
        options.map { Wrapping.entry($0.spelling, Manual.describe($0)) }
    }

    private static func capitalized(_ text: String) -> String {
        text.prefix(1).uppercased() + text.dropFirst()
    }

    /// Titles and their lines, with an empty line between; those that say nothing are left out.
    private static func sections(_ sections: [(title: String, lines: [String])]) -> String {
        sections.compactMap { title, lines in
            if lines.isEmpty { return title.hasPrefix("Usage") ? title : nil }
            return ((title.isEmpty ? [] : [title]) + lines).joined(separator: "\n")
        }.joined(separator: "\n\n")
    }
}
