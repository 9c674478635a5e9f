import NovaBlendConfiguration

/// The manual page, in the macros of man(7).
enum ManualPage {
    /// All of it, without the last line's end.
    static var text: String {
        ([heading] + synopsis + commands + connection + files + codes)
            .joined(separator: "\n")
    }

    private static let heading = #"""
        .TH NOVABLEND 1 "" "novablend \#(Version.current)" "User Commands"
        .SH NAME
        novablend \- list salons, book appointments and show what was booked
        """#

    private static var synopsis: [String] {
        [".SH SYNOPSIS"]
            + Command.all.flatMap { command in
                let placed = command.arguments.map { $0.isRequired ? $0.name : "[\($0.name)]" }
                let words = [command.name] + placed
                return [
                    ".B novablend", escaped(words.joined(separator: " ") + " [options]"), ".br",
                ]
            }.dropLast()
            + [
                ".SH DESCRIPTION",
                "Lists come from the remote; without a connection they come from a cache on disk.",
                "A booking happens once, and is never queued.",
                "Results are on standard output, all else is on standard error.",
                "With \\fB\\-\\-json\\fR the result is the one that JSON\\-RPC gives, on one line; an",
                "error is one JSON object on standard error.",
            ]
    }

    private static var commands: [String] {
        [".SH COMMANDS"] + Command.all.flatMap(command)
    }

    private static func command(_ command: Command) -> [String] {
        var lines = [".SS \"\(escaped(command.usage))\""]
        lines.append(
            escaped(command.summary.prefix(1).uppercased() + command.summary.dropFirst()) + "."
        )
        lines += command.details.map(escaped)
        lines += command.arguments.flatMap { entry(escaped($0.name), Manual.describe($0)) }
        lines += command.ownOptions.flatMap(option)
        lines += command.examples.flatMap { example in
            [".PP", escaped("For example, \(example.summary):"), ".PP", ".RS", ".nf"]
                + [escaped(example.line), ".fi", ".RE"]
        }
        return lines
    }

    private static var connection: [String] {
        [".SH OPTIONS", "Every command that calls the remote takes these."]
            + ([Option.json] + Option.connection + [Option.help]).flatMap(option)
    }

    private static var files: [String] {
        [".SH FILES"]
            + entry("$XDG_CONFIG_HOME/novablend/config", Manual.configuration)
            + entry("$XDG_CACHE_HOME/novablend", "What is kept for offline use.")
            + entry("$XDG_STATE_HOME/novablend", "The journal of bookings under way.")
            + [".SH ENVIRONMENT"]
            + Manual.environment.flatMap { entry(escaped($0.name), $0.text) }
    }

    private static var codes: [String] {
        [".SH EXIT STATUS", "These are stable."]
            + ExitCode.allCases.flatMap { entry("\($0.rawValue)", $0.meaning + ".") }
    }

    private static func option(_ option: Option) -> [String] {
        entry(option.spelling, Manual.describe(option) + ".")
    }

    private static func entry(_ name: String, _ text: String) -> [String] {
        [".TP", ".B " + escaped(name), escaped(text)]
    }

    /// Text that roff takes as it is: no request at a line's beginning, no escape, plain dashes.
    static func escaped(_ text: some StringProtocol) -> String {
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
