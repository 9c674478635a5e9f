import CommandLineKit
import Glibc
import NovaBlendAdapters
import SystemSupport

/// A temporary server with sample data: the reference backend, in memory.
///
/// The backend exits when its standard input ends, so it never outlives this process.
struct Sandbox: Sendable {
    let baseURL: String
    let processID: pid_t
    private let temporary: SandboxDirectory
    private let input: Int32

    /// The directory that contains the cache and the journal. `stop` deletes it.
    var directory: String { temporary.path }

    /// A new sandbox, if the settings request one.
    static func requested(by settings: Settings) throws(CommandError) -> Sandbox? {
        settings.isSandbox ? try Sandbox() : nil
    }

    /// Starts the `novablend-backend` next to this program, on a free loopback port.
    private init() throws(CommandError) {
        let backend = try Self.backendPath()
        temporary = try SandboxDirectory()
        do throws(CommandError) {
            let output: Int32
            (processID, input, output) = try Self.start(backend)
            defer { close(output) }
            guard let url = Self.readURL(output) else {
                Self.stop(processID, input: input)
                throw CommandError(.failure, "\(backend) did not start; run it yourself to see why")
            }
            baseURL = url
        } catch {
            temporary.delete()
            throw error
        }
    }

    /// Ends the backend, waits for it, and deletes the directory.
    func stop() {
        Self.stop(processID, input: input)
        temporary.delete()
    }

    private static func stop(_ processID: pid_t, input: Int32) {
        close(input)
        var status: Int32 = 0
        while waitpid(processID, &status, 0) < 0, errno == EINTR {}
    }

    private static func backendPath() throws(CommandError) -> String {
        let path = (ProgramFile.directory ?? ".") + "/novablend-backend"
        guard access(path.systemBytes, X_OK) == 0 else {
            throw CommandError(.failure, "\(path) is missing; install it next to novablend")
        }
        return path
    }

    /// Starts the backend with pipes as its standard input and output.
    private static func start(
        _ path: String
    ) throws(CommandError) -> (processID: pid_t, input: Int32, output: Int32) {
        let input = try Pipe()
        defer { close(input.readEnd) }
        let output: Pipe
        do {
            output = try Pipe()
        } catch {
            close(input.writeEnd)
            throw error
        }
        defer { close(output.writeEnd) }
        var spawner = ProcessSpawner([
            path, "--port", "0", "--database", ":memory:", "--exit-with-input",
        ])
        spawner.input = .descriptor(input.readEnd)
        spawner.output = .descriptor(output.writeEnd)
        spawner.errors = .descriptor(STDERR_FILENO)
        do {
            return (try spawner.spawn(), input.writeEnd, output.readEnd)
        } catch {
            close(input.writeEnd)
            close(output.readEnd)
            throw CommandError(.failure, "\(path): \(error)")
        }
    }

    private struct Pipe {
        let readEnd: Int32
        let writeEnd: Int32

        init() throws(CommandError) {
            var ends: [Int32] = [-1, -1]
            guard pipe(&ends) == 0 else {
                throw CommandError(
                    .failure,
                    "cannot create a pipe: \(String(cString: strerror(errno)))"
                )
            }
            (readEnd, writeEnd) = (ends[0], ends[1])
        }
    }

    /// The URL in the first line of the backend's output.
    private static func readURL(_ output: Int32) -> String? {
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while line.count < 200, read(output, &byte, 1) == 1, byte != UInt8(ascii: "\n") {
            line.append(byte)
        }
        let words = String(decoding: line, as: UTF8.self).split(separator: " ")
        return words.last.map(String.init).flatMap { $0.hasPrefix("http://") ? $0 : nil }
    }
}

/// The temporary directory of a sandbox, for its cache and its journal.
///
/// The process of the sandbox locks the directory. So if that process was killed, the next sandbox
/// recognizes the directory as abandoned and deletes it.
struct SandboxDirectory: Sendable {
    let path: String
    private let lock: Int32

    private static let parent = "/tmp"
    private static let prefix = "novablend-sandbox-"

    /// Creates a directory, and deletes those of dead processes.
    init() throws(CommandError) {
        Self.deleteAbandoned()
        for _ in 1...10 {
            var template = Array("\(Self.parent)/\(Self.prefix)XXXXXX".utf8CString)
            guard mkdtemp(&template) != nil else { throw Self.failure(errno) }
            let created = String(
                decoding: template.dropLast().map(UInt8.init(bitPattern:)),
                as: UTF8.self
            )
            // A different process may have deleted the directory before it was locked.
            guard let lock = Self.lock(created) else { continue }
            (path, self.lock) = (created, lock)
            return
        }
        throw Self.failure(EAGAIN)
    }

    /// Deletes the directory with its contents.
    func delete() {
        Self.delete(path)
        close(lock)
    }

    /// Locks the directory at `path` for as long as the result is open. Returns nil if it is locked,
    /// is not a directory of this user, or does not exist anymore.
    private static func lock(_ path: String) -> Int32? {
        let directory = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard directory >= 0 else { return nil }
        var (locked, current) = (stat(), stat())
        guard fstat(directory, &locked) == 0, locked.st_uid == geteuid(),
            flock(directory, LOCK_EX | LOCK_NB) == 0, lstat(path, &current) == 0,
            (locked.st_dev, locked.st_ino) == (current.st_dev, current.st_ino)
        else {
            close(directory)
            return nil
        }
        return directory
    }

    private static func deleteAbandoned() {
        for name in DirectoryListing.names(in: parent) where name.hasPrefix(prefix) {
            let path = "\(parent)/\(name)"
            guard let lock = lock(path) else { continue }
            delete(path)
            close(lock)
        }
    }

    /// Deletes a directory with its contents. Links are deleted, not followed.
    private static func delete(_ directory: String) {
        for name in DirectoryListing.names(in: directory) {
            let path = "\(directory)/\(name)"
            if unlink(path) != 0 { delete(path) }
        }
        rmdir(directory)
    }

    private static func failure(_ code: Int32) -> CommandError {
        CommandError(
            .failure,
            "cannot create a temporary directory: \(String(cString: strerror(code)))"
        )
    }
}
