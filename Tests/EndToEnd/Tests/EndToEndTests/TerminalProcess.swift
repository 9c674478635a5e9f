import Foundation
import Synchronization
import SystemSupport
import SystemTestSupport

/// A program whose three standard streams are a terminal.
final class TerminalProcess: Sendable {
    private let terminal: Pseudoterminal
    private let process: pid_t
    private let hasEnded = Mutex(false)

    /// Starts the program on a terminal with a fixed size.
    init(
        columns: UInt16,
        lines: UInt16 = 24,
        _ program: String,
        _ arguments: [String],
        _ environment: [String: String]
    )
        throws
    {
        terminal = try Pseudoterminal(columns: columns, lines: lines)
        var spawner = ProcessSpawner([program] + arguments)
        spawner.environment = environment
        spawner.input = .descriptor(terminal.descriptor)
        spawner.output = .descriptor(terminal.descriptor)
        spawner.errors = .descriptor(terminal.descriptor)
        process = try spawner.spawn()
        terminal.closeDescriptor()
    }

    deinit {
        if !hasEnded.withLock(\.self) {
            kill(process, SIGKILL)
            waitpid(process, nil, 0)
        }
    }

    func signal(_ number: Int32) { kill(process, number) }

    func type(_ text: String) { terminal.type(text) }

    /// Waits until the output contains `text`; returns false if the output ends or stalls first.
    func shows(_ text: String) async -> Bool {
        await onThread { self.terminal.output(until: text).contains(text) }
    }

    /// Waits for the end of the program. Returns the whole output and the exit code.
    func finish() async -> (shown: String, code: Int32) {
        await onThread {
            let shown = self.terminal.completeOutput()
            var status: Int32 = 0
            while waitpid(self.process, &status, 0) < 0, errno == EINTR {}
            self.hasEnded.withLock { $0 = true }
            // The exit code, or the number of the signal.
            let code = status & 0x7F == 0 ? (status >> 8) & 0xFF : status & 0x7F
            return (shown, code)
        }
    }
}
