import CommandLineKit
import Glibc
import SystemSupport

/// Reads a file whose name is on the command line.
enum InputFile {
    /// The most that a file may have, in bytes.
    private static let maximumBytes = 1 << 30

    /// The bytes of the file, or of standard input if the path is `-`.
    static func read(_ path: String, _ terminal: Terminal) throws(CommandError) -> [UInt8] {
        if path == "-" { return try readAll(terminal.input, "the input") }
        let descriptor = open(path.systemBytes, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw CommandError(.notFound, "cannot read \(path): \(SystemError(code: errno))")
        }
        defer { close(descriptor) }
        return try readAll(descriptor, path)
    }

    private static func readAll(
        _ descriptor: Int32,
        _ name: String
    ) throws(CommandError) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else {
                throw CommandError(.notFound, "cannot read \(name): \(SystemError(code: errno))")
            }
            if count == 0 { return bytes }
            bytes += chunk[..<count]
            guard bytes.count <= maximumBytes else {
                throw CommandError(.invalidData, "\(name) is longer than \(maximumBytes) bytes")
            }
        }
    }
}
