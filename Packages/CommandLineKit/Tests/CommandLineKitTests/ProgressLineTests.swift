import CommandLineKit
import Foundation
import SystemTestSupport
import Testing

@Suite("Progress line")
struct ProgressLineTests {
    @Test("A progress line appears after a second, fits in one line, and is erased at the end")
    func shown() throws {
        let screen = try Pseudoterminal(columns: 20)
        let null = open("/dev/null", O_RDWR)
        defer { close(null) }
        let progress = ProgressLine(
            Terminal(input: null, output: null, errors: screen.descriptor)
        )
        progress.report("loading\n")
        let start = "\r\u{1B}[K"
        #expect(screen.output(until: "1 s").hasPrefix("\(start)loading , 1 s"))
        #expect(screen.output(until: "2 s").contains("\(start)loading , 2 s"))
        progress.report("waiting for the server")
        #expect(screen.output(until: "the").contains("\(start)waiting for the ser"))
        progress.end()
        progress.end()
        progress.report("too late")
        let all = screen.output(until: "ser\(start)")
        #expect(all.hasSuffix("waiting for the ser\(start)"))
    }

    @Test("No progress line is shown without a terminal, or if the command ends within a second")
    func hidden() throws {
        let errors = Pipe()
        let terminal = Terminal(errors: errors.fileHandleForWriting.fileDescriptor)
        let progress = ProgressLine(terminal)
        progress.report("working")
        progress.end()
        terminal.printError("end")
        try errors.fileHandleForWriting.close()
        #expect(try errors.fileHandleForReading.readToEnd() == Data("end\n".utf8))
        let screen = try Pseudoterminal(columns: 20)
        let short = Terminal(errors: screen.descriptor)
        ProgressLine(short).end()
        short.printError("end")
        #expect(screen.output(until: "end").hasPrefix("end"))
    }
}
