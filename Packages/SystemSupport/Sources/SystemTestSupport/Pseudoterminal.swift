import Foundation
import Synchronization
import SystemSupport

/// A pseudoterminal. A program uses `descriptor`, and the test types and reads the output.
public final class Pseudoterminal: Sendable {
    /// The end of the terminal that the program uses.
    public let descriptor: Int32
    private let master: Int32
    private let shown = Mutex("")
    private let isOpen = Atomic(true)

    /// Creates a terminal.
    public init(columns: UInt16, lines: UInt16 = 24) throws {
        // Swift does not import unlockpt and ptsname, so these are the ioctl requests that they use:
        // TIOCSPTLCK and TIOCGPTN.
        master = open("/dev/ptmx", O_RDWR | O_NOCTTY)
        var (number, isLocked) = (Int32(-1), Int32(0))
        guard ioctl(master, 0x4004_5431, &isLocked) == 0, ioctl(master, 0x8004_5430, &number) == 0
        else { throw SystemError(code: errno) }
        var size = winsize(ws_row: lines, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(master, UInt(TIOCSWINSZ), &size)
        descriptor = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
    }

    deinit {
        closeDescriptor()
        close(master)
    }

    /// Closes the program's end in this process. The output ends when all processes have closed it.
    public func closeDescriptor() {
        if isOpen.exchange(false, ordering: .relaxed) { close(descriptor) }
    }

    /// Types text, as a user would.
    public func type(_ text: String) {
        _ = Array(text.utf8).withUnsafeBytes { write(master, $0.baseAddress, $0.count) }
    }

    /// Waits until the output contains `text`, ends, or pauses for a minute. Returns all output so far.
    public func output(until text: String) -> String {
        while !shown.withLock({ $0.contains(text) }), readMore() {}
        return shown.withLock(\.self)
    }

    /// Waits until the output ends, or pauses for a minute. Returns all output.
    public func completeOutput() -> String {
        while readMore() {}
        return shown.withLock(\.self)
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
