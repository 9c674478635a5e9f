import Foundation
import Synchronization
import SystemSupport

/// A terminal with a fixed width, and its output.
final class Pseudoterminal: Sendable {
    private let master: Int32
    private let process: pid_t
    private let hasEnded = Mutex(false)
    private let shown = Mutex("")

    /// Starts a program with all three standard streams on the terminal.
    init(columns: UInt16, _ program: String, _ arguments: [String], _ environment: [String: String])
        throws
    {
        // Swift does not import unlockpt and ptsname, so these are the ioctl requests that they use:
        // TIOCSPTLCK and TIOCGPTN.
        master = open("/dev/ptmx", O_RDWR | O_NOCTTY)
        var (number, isLocked) = (Int32(-1), Int32(0))
        guard ioctl(master, 0x4004_5431, &isLocked) == 0, ioctl(master, 0x8004_5430, &number) == 0
        else { throw POSIXError(.ENOTTY) }
        let name = "/dev/pts/\(number)"
        var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(master, UInt(TIOCSWINSZ), &size)
        let terminal = open(name, O_RDWR | O_NOCTTY)
        defer { close(terminal) }
        var spawner = ProcessSpawner([program] + arguments)
        spawner.environment = environment
        spawner.input = .descriptor(terminal)
        spawner.output = .descriptor(terminal)
        spawner.errors = .descriptor(terminal)
        process = try spawner.spawn()
    }

    deinit {
        if !hasEnded.withLock(\.self) {
            kill(process, SIGKILL)
            waitpid(process, nil, 0)
        }
        close(master)
    }

    func signal(_ number: Int32) { kill(process, number) }

    func type(_ text: String) {
        _ = Array(text.utf8).withUnsafeBytes { write(master, $0.baseAddress, $0.count) }
    }

    /// Waits until the output contains `text`; returns false if the output ends or stalls first.
    func shows(_ text: String) async -> Bool {
        await onNewThread {
            while !self.shown.withLock({ $0.contains(text) }) {
                if !self.readMore() { return false }
            }
            return true
        }
    }

    /// Waits for the end of the program. Returns the whole output and the exit code.
    func finish() async -> (shown: String, code: Int32) {
        await onNewThread {
            while self.readMore() {}
            var status: Int32 = 0
            while waitpid(self.process, &status, 0) < 0, errno == EINTR {}
            self.hasEnded.withLock { $0 = true }
            // The exit code, or the number of the signal.
            let code = status & 0x7F == 0 ? (status >> 8) & 0xFF : status & 0x7F
            return (self.shown.withLock(\.self), code)
        }
    }

    private func readMore() -> Bool {
        var entry = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
        guard poll(&entry, 1, 60_000) > 0 else { return false }
        var buffer = [UInt8](repeating: 0, count: 4_096)
        let count = read(master, &buffer, buffer.count)
        guard count > 0 else { return false }
        shown.withLock { $0 += String(decoding: buffer[..<count], as: UTF8.self) }
        return true
    }
}
