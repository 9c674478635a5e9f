import Foundation

/// A pseudoterminal. A program writes to `descriptor`, and the test reads the output. Each test uses its
/// own, on one thread at a time.
final class Pseudoterminal: @unchecked Sendable {
    /// The program's end.
    let descriptor: Int32
    private let master: Int32
    private var output = ""

    init(columns: UInt16) throws {
        // Swift cannot see posix_openpt and its companions. These are the requests that they use.
        master = open("/dev/ptmx", O_RDWR | O_NOCTTY)
        var (number, isLocked) = (Int32(-1), Int32(0))
        guard ioctl(master, 0x4004_5431, &isLocked) == 0, ioctl(master, 0x8004_5430, &number) == 0
        else { throw POSIXError(.ENOTTY) }
        var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(master, UInt(TIOCSWINSZ), &size)
        descriptor = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
    }

    deinit {
        close(descriptor)
        close(master)
    }

    func type(_ text: String) {
        _ = Array(text.utf8).withUnsafeBytes { write(master, $0.baseAddress, $0.count) }
    }

    /// Waits until the output contains `text` or pauses for a minute. Returns all output so far.
    func output(until text: String) -> String {
        while !output.contains(text) {
            var entry = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
            guard poll(&entry, 1, 60_000) > 0 else { break }
            var buffer = [UInt8](repeating: 0, count: 4_096)
            let count = read(master, &buffer, buffer.count)
            guard count > 0 else { break }
            output += String(decoding: buffer[..<count], as: UTF8.self)
        }
        return output
    }
}
