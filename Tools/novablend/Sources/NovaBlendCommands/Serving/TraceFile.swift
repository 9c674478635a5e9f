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
    private let descriptor: Int32
    private let redaction: TraceRedaction

    /// Opens `path` for appending, unless it is a link, or a file that other users can access.
    init(path: String, redaction: TraceRedaction) throws(CommandError) {
        self.redaction = redaction
        let flags = O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC
        descriptor = open(path.systemBytes, flags, 0o600)
        guard descriptor >= 0 else {
            throw CommandError(.failure, "--trace \(path): \(String(cString: strerror(errno)))")
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
    }

    func didReceive(_ message: [UInt8]) { append("-->", message) }
    func didSend(_ message: [UInt8]) { append("<--", message) }

    /// Appends a line with the time, the direction, and the message.
    private func append(_ direction: String, _ message: [UInt8]) {
        let now = ISO8601.formatUTC(SystemClock().now)
        var line = Array("\(now) \(direction) ".utf8)
        line += JSONFragment(trusted: redaction.redacted(message)).escapingLineSeparators().bytes
        line.append(UInt8(ascii: "\n"))
        // One call per line, because several threads append.
        _ = write(descriptor, line, line.count)
    }
}
