import CommandLineKit
import Contract
import Domain
import Glibc
import JSON
import JSONRPC
import NovaBlendAdapters
import SystemSupport

/// A file that records the messages in both directions, with times and without personal data. Only
/// this user can read it.
final class TraceFile: CallObserver {
    private let output: DiagnosticOutput
    private let redaction: TraceRedaction

    /// Opens `path` for appending, unless it is a link, a file with several names, or a file that other
    /// users can access.
    ///
    /// - Parameter ownFiles: The files that the program needs, which are never extended.
    init(
        path: String,
        redaction: TraceRedaction,
        protecting ownFiles: ProtectedFiles
    ) throws(CommandError) {
        self.redaction = redaction
        guard ownFiles.conflict(with: path) == nil else {
            throw CommandError(.failure, "--trace \(path): it is a file that novablend needs")
        }
        // Opening a named pipe that no program reads would block, and so would writing to one.
        let flags = O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK
        let descriptor = open(path.systemBytes, flags, 0o600)
        guard descriptor >= 0 else {
            let reason =
                errno == ENXIO ? "no program reads it" : String(cString: strerror(errno))
            throw CommandError(.failure, "--trace \(path): \(reason)")
        }
        var status = stat()
        let isKnown = fstat(descriptor, &status) == 0
        let isFile = status.st_mode & S_IFMT == S_IFREG
        guard isKnown, !isFile || status.st_mode & 0o077 == 0 else {
            close(descriptor)
            throw CommandError(
                .failure,
                "--trace \(path): other users can read or write it; "
                    + "chmod 600 '\(path)'"
            )
        }
        // One of its names could be that of a journal.
        guard !isFile || status.st_nlink == 1 else {
            close(descriptor)
            throw CommandError(.failure, "--trace \(path): the file has several names")
        }
        output = DiagnosticOutput(descriptor, maximumBytes: 4 << 20) { count in
            "\(count) messages were dropped, because the trace was not read"
        }
    }

    /// Waits until everything is written, but at most for this time.
    func flush(atMost timeout: Duration) { output.flush(atMost: timeout) }

    func didReceive(_ message: [UInt8]) { append("-->", message) }
    func didSend(_ message: [UInt8]) { append("<--", message) }

    /// Appends a line with the time, the direction, and the message.
    private func append(_ direction: String, _ message: [UInt8]) {
        let now = ISO8601.formatUTC(SystemClock().now)
        var line = Array("\(now) \(direction) ".utf8)
        line += JSONFragment(trusted: redaction.redacted(message)).escapingLineSeparators().bytes
        output.write(line)
    }
}
