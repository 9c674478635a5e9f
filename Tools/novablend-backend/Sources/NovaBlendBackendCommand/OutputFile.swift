import CommandLineKit
import Glibc
import SystemSupport

/// Creates a file that appears under its name only when it is complete.
enum OutputFile {
    static let force = Option("force", "replace FILE if it exists")

    /// Creates a file with the bytes that `body` writes.
    ///
    /// - Parameters:
    ///   - overwrites: Whether an existing file is replaced; if not, it is an error.
    ///   - isPrivate: Whether only this user can read it.
    static func write(
        _ path: String,
        overwrites: Bool,
        isPrivate: Bool = false,
        _ body: (_ write: ([UInt8]) throws(CommandError) -> Void) async throws(CommandError) -> Void
    ) async throws(CommandError) {
        if !overwrites { try rejectExisting(path) }
        let temporaryPath = "\(path).\(getpid()).tmp"
        let mode: mode_t = isPrivate ? 0o600 : 0o666
        let descriptor = open(
            temporaryPath.systemBytes,
            O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
            mode
        )
        guard descriptor >= 0 else { throw failure(path, errno) }
        defer {
            close(descriptor)
            unlink(temporaryPath.systemBytes)
        }
        try await body { bytes throws(CommandError) in
            do throws(SystemError) {
                try DescriptorOutput.writeAll(bytes.span.bytes, to: descriptor)
            } catch {
                throw failure(path, error.code)
            }
        }
        guard fsync(descriptor) == 0 else { throw failure(path, errno) }
        // Unlike `rename`, `link` never replaces a file.
        let isNamed =
            overwrites
            ? rename(temporaryPath.systemBytes, path.systemBytes) == 0
            : link(temporaryPath.systemBytes, path.systemBytes) == 0
        if isNamed { return }
        throw errno == EEXIST ? exists(path) : failure(path, errno)
    }

    /// Throws if something exists at `path`.
    static func rejectExisting(_ path: String) throws(CommandError) {
        var status = stat()
        if lstat(path.systemBytes, &status) == 0 { throw exists(path) }
    }

    private static func exists(_ path: String) -> CommandError {
        CommandError(.notWritten, "\(path) exists; replace it with --force")
    }

    private static func failure(_ path: String, _ code: Int32) -> CommandError {
        CommandError(.notWritten, "cannot write \(path): \(SystemError(code: code))")
    }
}
