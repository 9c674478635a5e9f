import Testing

@testable import CommandLineKit

@Suite("Manual page")
struct ManualPageTests {
    private let text = Library.program.manualPage
    private var lines: [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }

    @Test("The usual sections come in the usual order, and empty ones are left out")
    func sections() {
        #expect(lines.first == #".TH LIBRARY 1 "" "library 1.2" "User Commands""#)
        #expect(
            lines.filter { $0.hasPrefix(".SH ") }.map { $0.dropFirst(4) } == [
                "NAME", "SYNOPSIS", "DESCRIPTION", "COMMANDS", "OPTIONS", "FILES", "ENVIRONMENT",
                "EXIT STATUS",
            ]
        )
        let bare = Program(name: "a", version: "1", summary: "b", commands: [])
        #expect(!bare.manualPage.contains("FILES") && !bare.manualPage.contains("DESCRIPTION"))
    }

    @Test(
        "Only requests of man(7) are used, without empty lines, and every block ends"
    )
    func requests() {
        let known: Set = [
            ".TH", ".SH", ".SS", ".TP", ".PP", ".B", ".br", ".RS", ".RE", ".nf", ".fi",
        ]
        for line in lines {
            #expect(!line.isEmpty && !line.hasPrefix("'"))
            if line.hasPrefix(".") {
                #expect(known.contains(String(line.prefix { $0 != " " })), "\(line)")
            }
        }
        for (begin, end) in [(".RS", ".RE"), (".nf", ".fi")] {
            #expect(lines.count { $0 == begin } == lines.count { $0 == end })
        }
    }

    @Test("Every command, option, argument, file, variable, and exit code is described")
    func complete() {
        for command in Library.program.commands {
            #expect(text.contains(".SS \"library \(command.name)"))
            for option in command.allOptions {
                #expect(text.contains(".B " + ManualPage.escaped(option.spelling) + "\n"))
            }
            for argument in command.arguments { #expect(text.contains(".B \(argument.name)\n")) }
        }
        for term in ["$XDG_CONFIG_HOME/library/config", "/var/library", "LIBRARY_TOKEN", "64"] {
            #expect(text.contains(".B \(term)\n"), "\(term)")
        }
        #expect(text.contains(".nf\nlibrary list \\-\\-limit 3\n.fi"))
        #expect(text.contains(".B ACTION\nwhat to do.\n"))
    }

    @Test("Text is printed unchanged")
    func escaping() {
        #expect(
            ManualPage.escaped(".a\\b-'\"^~`") == "\\&.a\\eb\\-\\(aq\\(dq\\(ha\\(ti\\(ga"
        )
    }
}
