import Glibc

/// A pipe that closes its ends when it is deinitialized.
final class Pipe: Sendable {
    let reader: Int32
    let writer: Int32

    init(isNonBlocking: Bool = false) {
        var ends: [Int32] = [-1, -1]
        precondition(pipe(&ends) == 0)
        (reader, writer) = (ends[0], ends[1])
        if isNonBlocking { precondition(fcntl(writer, F_SETFL, O_NONBLOCK) == 0) }
    }

    deinit {
        close(reader)
        close(writer)
    }

    /// Reads `count` bytes; fewer at the end of the input, or if nothing arrives for a minute.
    func read(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        var entry = pollfd(fd: reader, events: Int16(POLLIN), revents: 0)
        while bytes.count < count, poll(&entry, 1, 60_000) > 0 {
            let found = Glibc.read(reader, &buffer, min(buffer.count, count - bytes.count))
            guard found > 0 else { break }
            bytes += buffer.prefix(found)
        }
        return bytes
    }

    /// Reads what is in the pipe, without waiting for more.
    func readAvailable() -> [UInt8] {
        var size: Int32 = 0
        return ioctl(reader, UInt(FIONREAD), &size) == 0 ? read(Int(size)) : []
    }

    /// Whether the next write would block.
    var isFull: Bool {
        var size: Int32 = 0
        return ioctl(writer, UInt(FIONREAD), &size) == 0 && size == fcntl(writer, F_GETPIPE_SZ)
    }
}

/// `F_GETPIPE_SZ`, which the C library declares only with `_GNU_SOURCE`.
private let F_GETPIPE_SZ: Int32 = 1032
