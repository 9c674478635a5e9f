import CommandLineKit
import Glibc
import JSON
import SystemSupport

/// Reads the file with a salon.
enum SalonFile {
    /// The size limit of the file. It equals the limit of a message to `serve`.
    private static let maximumBytes = 16 << 20

    /// Sets the parameter `salon` to the JSON in the argument FILE.
    @Sendable static func read(
        _ invocation: Invocation,
        _ times: TypedTime,
        _ params: inout Parameters
    ) async throws(CommandError) {
        guard let path = invocation[.salonFile] else { return }
        // Standard input may be a terminal on which nothing is typed.
        let content = await SystemThread.result {
            Result { () throws(CommandError) in try read(path) }
        }
        guard let content else {
            if Task.isCancelled { throw .interrupted }
            throw CommandError(.systemError, "the system could not start a thread")
        }
        let bytes = try content.get()
        do {
            let salon = try JSONDocument(received: bytes, limits: JSONLimits()).root
            params.set("salon", JSONFragment { $0.value(salon) })
        } catch {
            throw CommandError(.usage, "\(SafeText.line(path)) is not a salon: \(error)")
        }
    }

    private static func read(_ path: String) throws(CommandError) -> [UInt8] {
        let descriptor = path == "-" ? STDIN_FILENO : open(path.systemBytes, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw unreadable(path) }
        defer { if path != "-" { close(descriptor) } }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            if count == 0 { return bytes }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw unreadable(path) }
            bytes += chunk[..<count]
            guard bytes.count <= maximumBytes else {
                throw CommandError(.usage, "\(SafeText.line(path)) has more than 16 MiB")
            }
        }
    }

    private static func unreadable(_ path: String) -> CommandError {
        let reason = String(cString: strerror(errno))
        return CommandError(.inputOutput, "\(SafeText.line(path)): \(reason)")
    }
}
