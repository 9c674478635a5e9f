public import Glibc

/// A reference backend of our own, with sample data, for as long as we run.
///
/// It ends when its standard input does, so it goes with us however we go.
public struct Sandbox: Sendable {
    /// Why there is no sandbox.
    public struct Failure: Error, Sendable, CustomStringConvertible {
        /// Why, and what to do about it.
        public let description: String
    }

    /// Where it listens.
    public let baseURL: String
    /// Its process.
    public let processID: pid_t
    /// A directory for cache and state that is gone with the sandbox.
    public let directory: String
    private let input: Int32

    /// Starts `novablend-backend` from beside this program, on a free loopback port, in memory.
    public init() throws(Failure) {
        let backend = try Self.backendPath()
        var template = Array("/tmp/novablend-sandbox-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else {
            throw Failure(
                description: "no temporary directory: \(String(cString: strerror(errno)))"
            )
        }
        directory = String(cString: made)
        let child = try Self.spawn(backend)
        input = child.input
        processID = child.id
        guard let url = Self.readURL(child.output) else {
            close(child.input)
            throw Failure(description: "\(backend) did not start; run it by hand to see why")
        }
        baseURL = url
    }

    /// Ends the backend, waits for it, and deletes the directory.
    public func stop() {
        close(input)
        var status: Int32 = 0
        while waitpid(processID, &status, 0) < 0, errno == EINTR {}
        Self.remove(directory)
    }

    private static func backendPath() throws(Failure) -> String {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        let own = String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
        let folder = own.lastIndex(of: "/").map { String(own[..<$0]) } ?? "."
        let path = folder + "/novablend-backend"
        guard access(path, X_OK) == 0 else {
            throw Failure(description: "\(path) is missing; `make build` makes it")
        }
        return path
    }

    private static func spawn(
        _ path: String
    ) throws(Failure) -> (id: pid_t, input: Int32, output: Int32) {
        var toChild: [Int32] = [-1, -1]
        var fromChild: [Int32] = [-1, -1]
        guard pipe(&toChild) == 0, pipe(&fromChild) == 0 else {
            throw Failure(description: "no pipe: \(String(cString: strerror(errno)))")
        }
        for end in toChild + fromChild { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, toChild[0], STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, fromChild[1], STDOUT_FILENO)
        let arguments = [path, "--port", "0", "--database", ":memory:", "--exit-with-input"]
        var vector = arguments.map { strdup($0) } + [nil]
        defer { for argument in vector { free(argument) } }
        var id: pid_t = 0
        let code = posix_spawn(&id, path, &actions, nil, &vector, environ)
        close(toChild[0])
        close(fromChild[1])
        guard code == 0 else {
            throw Failure(description: "\(path): \(String(cString: strerror(code)))")
        }
        return (id, toChild[1], fromChild[0])
    }

    /// The URL in the first line of what the backend says.
    private static func readURL(_ output: Int32) -> String? {
        defer { close(output) }
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while line.count < 200, read(output, &byte, 1) == 1, byte != UInt8(ascii: "\n") {
            line.append(byte)
        }
        let words = String(decoding: line, as: UTF8.self).split(separator: " ")
        return words.last.map(String.init).flatMap { $0.hasPrefix("http://") ? $0 : nil }
    }

    /// Deletes a directory and what is in it; links are deleted, not followed.
    private static func remove(_ directory: String) {
        guard let stream = opendir(directory) else { return }
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name == "." || name == ".." { continue }
            let path = "\(directory)/\(name)"
            if entry.pointee.d_type == UInt8(DT_DIR) { remove(path) } else { unlink(path) }
        }
        closedir(stream)
        rmdir(directory)
    }
}
