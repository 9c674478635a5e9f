import BackendKit
import CommandLineKit
import Glibc
import SQLiteStorage
import SystemSupport

/// Reads a file whose name is on the command line.
enum InputFile {
    /// The maximum size of a file, in bytes.
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

/// Creates a file that appears under its name only when it is complete.
enum OutputFile {
    static let force = Option("force", "replace FILE if it exists")

    /// Creates a file with the bytes that `body` writes, or writes them to standard output if the
    /// path is nil. An existing file is an error unless the invocation has ``force``.
    ///
    /// - Parameter isPrivate: Whether only this user can read it.
    static func write(
        _ path: String?,
        _ invocation: Invocation,
        _ terminal: Terminal,
        isPrivate: Bool = false,
        _ body: (_ write: ([UInt8]) throws(CommandError) -> Void) async throws -> Void
    ) async throws {
        guard let path else { return try await body(terminal.write) }
        try check(path, invocation)
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
        func write(_ bytes: [UInt8]) throws(CommandError) {
            do {
                try DescriptorOutput.writeAll(bytes.span.bytes, to: descriptor)
            } catch {
                throw failure(path, error.code)
            }
        }
        try await body(write)
        guard fsync(descriptor) == 0 else { throw failure(path, errno) }
        // A server may have started to use it meanwhile.
        try check(path, invocation)
        // Unlike `rename`, `link` never replaces a file.
        let isNamed =
            invocation.has(force)
            ? rename(temporaryPath.systemBytes, path.systemBytes) == 0
            : link(temporaryPath.systemBytes, path.systemBytes) == 0
        if isNamed { return }
        throw errno == EEXIST ? exists(path) : failure(path, errno)
    }

    /// Throws if `path` is a file that the command needs: one of its database or its configuration, or
    /// one of a database that is in use. Also throws if something exists at `path`, unless the
    /// invocation has ``force``. All outputs of all commands must pass this check.
    static func check(_ path: String, _ invocation: Invocation) throws(CommandError) {
        try checkUnneeded(path, invocation)
        if invocation.has(force) { return }
        var status = stat()
        if lstat(path.systemBytes, &status) == 0 { throw exists(path) }
    }

    /// The part of ``check(_:_:)`` for files that are extended, such as logs.
    static func checkUnneeded(_ path: String, _ invocation: Invocation) throws(CommandError) {
        var reason = SQLiteBookingStore.objection(
            toOutput: path,
            besides: try DatabaseOption.location(invocation, allowsMemory: true).filePath
        )
        let configuration =
            invocation[ConfigurationOption.option] ?? ConfigurationOption.defaultPath
        if ProtectedFiles(files: [configuration]).conflict(with: path) != nil {
            reason = "\(path) is the configuration file"
        }
        guard let reason else { return }
        throw CommandError(.notWritten, "\(reason); choose a different file")
    }

    /// Throws if standard output or standard error is a file of the database.
    static func checkStandardStreams(_ database: DatabaseLocation) throws(CommandError) {
        guard let path = database.filePath else { return }
        let files = SQLiteBookingStore.files(of: path)
        for (descriptor, name) in [(STDOUT_FILENO, "output"), (STDERR_FILENO, "error")]
        where files.conflict(withOpen: descriptor) != nil {
            // The error must not go there, either.
            if descriptor == STDERR_FILENO {
                let null = open("/dev/null", O_WRONLY | O_CLOEXEC)
                dup2(null, descriptor)
                close(null)
            }
            throw CommandError(.notWritten, "standard \(name) is a file of the database \(path)")
        }
    }

    private static func exists(_ path: String) -> CommandError {
        CommandError(.notWritten, "\(path) exists; replace it with --force")
    }

    private static func failure(_ path: String, _ code: Int32) -> CommandError {
        CommandError(.notWritten, "cannot write \(path): \(SystemError(code: code))")
    }
}

/// The file of `--log-file`. It can be renamed while the server runs, and is then opened again.
final class LogFile: Sendable {
    /// Stays the same, so that what writes to it need not know about a new file.
    let descriptor: Int32
    private let path: String
    private let invocation: Invocation

    /// Opens the file for appending, and creates it if it does not exist.
    init(_ path: String, _ invocation: Invocation) throws(CommandError) {
        self.path = path
        self.invocation = invocation
        descriptor = try Self.open(path, invocation)
    }

    /// Opens the path again. If that fails, the file that is open remains in use.
    func reopen() throws(CommandError) {
        let new = try Self.open(path, invocation)
        defer { close(new) }
        // A line that is being written goes to one of the files.
        guard dup2(new, descriptor) >= 0 else { throw Self.failure(path, errno) }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    private static func open(
        _ path: String,
        _ invocation: Invocation
    ) throws(CommandError) -> Int32 {
        try OutputFile.checkUnneeded(path, invocation)
        // Opening a named pipe that no program reads would block.
        let flags = O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK
        let descriptor = Glibc.open(path.systemBytes, flags, 0o640)
        guard descriptor >= 0 else { throw failure(path, errno) }
        return descriptor
    }

    private static func failure(_ path: String, _ code: Int32) -> CommandError {
        CommandError(.notWritten, "the log \(path) cannot be opened: \(SystemError(code: code))")
    }
}
