import Testing

@testable import NovaBlendCommand

@Suite("The manual page")
struct ManualPageTests {
    private let lines = ManualPage.text.split(separator: "\n", omittingEmptySubsequences: false)

    @Test("has the sections that people look for, in their order")
    func sections() {
        let found = lines.filter { $0.hasPrefix(".SH ") }.map { $0.dropFirst(4) }
        #expect(
            found == [
                "NAME", "SYNOPSIS", "DESCRIPTION", "COMMANDS", "OPTIONS", "FILES", "ENVIRONMENT",
                "EXIT STATUS",
            ]
        )
        #expect(lines.first?.hasPrefix(".TH NOVABLEND 1 ") == true)
    }

    @Test("uses no request but those of man(7), leaves no line empty, and ends what it begins")
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

    @Test("has every command, option and exit code")
    func complete() {
        let text = ManualPage.text
        for command in Command.all {
            #expect(text.contains(".SS \"novablend \(command.name)"))
            for option in command.options {
                #expect(text.contains(ManualPage.escaped("--\(option.name)")))
            }
        }
        for code in ExitCode.allCases { #expect(text.contains(".B \(code.rawValue)\n")) }
    }

    @Test("takes text as it is")
    func escaping() {
        #expect(ManualPage.escaped(".a\\b-'\"") == "\\&.a\\eb\\-\\(aq\\(dq")
    }
}
