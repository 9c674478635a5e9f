import Glibc
import Testing

/// A pipe, or a pair of sockets, whose input receives the messages that are written to its output.
struct MessagePipe {
    let input: Int32
    let output: Int32

    /// - Parameter socketKind: The kind of the sockets, such as `SOCK_SEQPACKET`; nil for a pipe.
    init(socketKind: Int32? = nil) throws {
        var ends: [Int32] = [0, 0]
        if let socketKind {
            try #require(socketpair(AF_UNIX, socketKind, 0, &ends) == 0)
        } else {
            try #require(pipe(&ends) == 0)
        }
        (input, output) = (ends[0], ends[1])
    }

    func close() { for end in [input, output] { Glibc.close(end) } }

    /// Whether nothing can be read now.
    var isEmpty: Bool { !hasInput(within: 0) }

    /// The next packet; nil at the end of the input, or if nothing arrives for a minute.
    func packet() -> String? {
        guard hasInput(within: 60_000) else { return nil }
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        let count = read(input, &buffer, buffer.count)
        return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
    }

    private func hasInput(within milliseconds: Int32) -> Bool {
        var entry = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, milliseconds) > 0
    }
}
