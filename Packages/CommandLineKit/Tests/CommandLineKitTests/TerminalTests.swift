import CommandLineKit
import Foundation
import Synchronization
import SystemSupport
import SystemTestSupport
import Testing

@Suite("Terminal", .timeLimit(.minutes(10)))
struct TerminalTests {
    @Test(
        "A terminal has the width of its streams, or 80 columns if that is unknown",
        arguments: [(40, 40), (0, 80)]
    )
    func width(columns: UInt16, width: Int) throws {
        let screen = try Pseudoterminal(columns: columns)
        let null = open("/dev/null", O_RDWR)
        defer { close(null) }
        let output = Terminal(input: null, output: screen.descriptor, errors: null)
        #expect(output.width == width && output.errorWidth == nil && !output.isInteractive)
        let errors = Terminal(input: null, output: null, errors: screen.descriptor)
        #expect(errors.width == nil && errors.errorWidth == width && !errors.isInteractive)
        let input = Terminal(input: screen.descriptor, output: null, errors: null)
        #expect(!input.isInteractive)
        let both = Terminal(input: screen.descriptor, output: null, errors: screen.descriptor)
        #expect(both.isInteractive)
    }

    @Test(
        "Only a terminal has color, and not if it is dumb or NO_COLOR is not empty",
        arguments: [
            ([:], true), (["NO_COLOR": ""], true), (["NO_COLOR": "1"], false),
            (["TERM": "xterm"], true), (["TERM": "dumb"], false),
        ]
    )
    func color(environment: [String: String], hasColor: Bool) throws {
        let screen = try Pseudoterminal(columns: 80)
        let null = open("/dev/null", O_RDWR)
        defer { close(null) }
        let terminal = Terminal(output: screen.descriptor, environment: environment)
        #expect(terminal.hasColor == hasColor)
        #expect(!Terminal(output: null, environment: environment).hasColor)
    }

    @Test("Results go to standard output, and notes and errors to standard error")
    func streams() throws {
        let (output, errors) = (Pipe(), Pipe())
        let terminal = Terminal(
            output: output.fileHandleForWriting.fileDescriptor,
            errors: errors.fileHandleForWriting.fileDescriptor
        )
        try terminal.print(["a", "b"])
        try terminal.write(Array("c".utf8))
        terminal.printNote("d\u{1B}")
        terminal.show(
            CommandError(.failure, "e\u{1B}", note: "f", suggestions: ["g", "h"]),
            program: "p"
        )
        try output.fileHandleForWriting.close()
        try errors.fileHandleForWriting.close()
        let written = try output.fileHandleForReading.readToEnd()
        #expect(written.map { String(decoding: $0, as: UTF8.self) } == "a\nb\nc")
        let reported = try errors.fileHandleForReading.readToEnd()
        #expect(
            reported.map { String(decoding: $0, as: UTF8.self) }
                == "d\u{FFFD}\np: e\u{FFFD}\n  note: f\n  try:  g\n        h\n"
        )
    }

    @Test("A reader that has closed the pipe is ignored, and any other error is reported")
    func failures() throws {
        signal(SIGPIPE, SIG_IGN)
        let pipe = Pipe()
        let terminal = Terminal(output: pipe.fileHandleForWriting.fileDescriptor)
        try pipe.fileHandleForReading.close()
        try terminal.print(["a"])
        let full = open("/dev/full", O_WRONLY)
        defer { close(full) }
        let error = commandError { try Terminal(output: full).print(["a"]) }
        #expect(error?.exitCode == .inputOutput)
        #expect(error?.message == "cannot write the output: No space left on device")
        #expect((error?.underlyingError as? SystemError)?.code == ENOSPC)
    }

    @Test("A result that must not be lost is reported if the reader has closed the pipe")
    func required() throws {
        signal(SIGPIPE, SIG_IGN)
        let (pipe, errors) = (Pipe(), Pipe())
        var terminal = Terminal(
            output: pipe.fileHandleForWriting.fileDescriptor,
            errors: errors.fileHandleForWriting.fileDescriptor
        )
        terminal.reportsClosedPipe = true
        try pipe.fileHandleForReading.close()
        let error = commandError { try terminal.print(["a"]) }
        #expect((error?.underlyingError as? SystemError)?.code == EPIPE)
        try terminal.withResultsOnErrors.print(["a"])
        try errors.fileHandleForWriting.close()
        #expect(try errors.fileHandleForReading.readToEnd() == Data("a\n".utf8))
    }

    /// Terminals of abandoned questions. The thread that waits for the answer continues. If the
    /// terminal were closed, that thread could read what a different test types into a terminal with
    /// the same descriptor.
    private static let neverClosed = Mutex<[Pseudoterminal]>([])

    @Test("A question ends when its task is cancelled, without an answer")
    func cancellation() async throws {
        let screen = try Pseudoterminal(columns: 80)
        Self.neverClosed.withLock { $0.append(screen) }
        let null = open("/dev/null", O_RDWR)
        defer { close(null) }
        let terminal = Terminal(input: screen.descriptor, output: null, errors: screen.descriptor)
        let asking = Task { try await terminal.confirm("Really?") }
        // On a thread of its own, because the question needs one of the runtime.
        let shown = await SystemThread.result { screen.output(until: "[y/N] ") }
        #expect(shown?.contains("[y/N] ") == true)
        asking.cancel()
        await #expect(throws: CancellationError.self) { try await asking.value }
    }

    @Test(
        "A number chooses, an empty line or the end of input chooses nothing, and the rest asks again",
        arguments: [
            ("1\n", 0), ("3\n", 2), ("0\n4\nx\n-1\n2\n", 1), ("\n", nil), ("\u{4}", nil),
            ("9\n\n", nil),
            ("-9223372036854775808\n99999999999999999999\n2\n", 1),
        ]
    )
    func choice(typed: String, index: Int?) async throws {
        let screen = try Pseudoterminal(columns: 80)
        let null = open("/dev/null", O_RDWR)
        defer { close(null) }
        let terminal = Terminal(input: screen.descriptor, output: null, errors: screen.descriptor)
        screen.type(typed)
        #expect(try await terminal.choose("Which?", among: ["a", "b\u{1B}", "c"]) == index)
        let shown = screen.output(until: "[1-3] ")
        // The terminal shows what is typed in between.
        for line in ["1  a\r\n", "2  b\u{FFFD}\r\n", "3  c\r\n", "Which? [1-3] "] {
            #expect(shown.contains(line), "\(shown)")
        }
    }

    @Test(
        "Only y and yes confirm a question",
        arguments: [
            ("y\n", true), ("yes\n", true), ("YES\n", true), ("n\n", false), ("\n", false),
            ("yeah\n", false), ("\u{4}", false),
        ]
    )
    func confirmation(typed: String, isConfirmed: Bool) async throws {
        let screen = try Pseudoterminal(columns: 80)
        let null = open("/dev/null", O_RDWR)
        defer { close(null) }
        let terminal = Terminal(input: screen.descriptor, output: null, errors: screen.descriptor)
        screen.type(typed)
        #expect(try await terminal.confirm("Really?\u{1B}") == isConfirmed)
        #expect(screen.output(until: "[y/N] ").contains("Really?\u{FFFD} [y/N] "))
    }
}
