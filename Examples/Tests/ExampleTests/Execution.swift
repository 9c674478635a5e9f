import Foundation
import SystemSupport
import SystemTestSupport

/// What a program did. Programs of this package are found next to the tests.
///
/// The process inherits nothing but its standard streams, so programs that run at the same time do not
/// keep each other's pipes open.
struct Execution: Sendable {
    let output: String
    let errors: String
    /// The exit code, or the negative number of the signal that ended it.
    let code: Int32

    /// The lines of the output.
    var lines: [Substring] { output.split(separator: "\n") }

    /// Runs `words[0]` with the other words as its arguments, and waits until it has ended.
    init(_ words: String..., input: String = "", environment: [String: String] = [:]) async throws {
        try await self.init(words, input: input, environment: environment)
    }

    /// Runs `words[0]` with the other words as its arguments, and waits until it has ended.
    init(_ words: [String], input: String = "", environment: [String: String] = [:]) async throws {
        let directory = try TemporaryDirectory()
        let paths = ["input", "output", "errors"].map { directory.path + "/" + $0 }
        try Data(input.utf8).write(to: URL(filePath: paths[0]))
        var spawner = ProcessSpawner([try Self.path(of: words[0])] + words.dropFirst())
        let home = ["HOME": directory.path, "PATH": "/usr/bin:/bin"]
        spawner.environment = home.merging(environment) { $1 }
        spawner.input = .file(paths[0], flags: O_RDONLY)
        spawner.output = .file(paths[1], flags: O_WRONLY | O_CREAT)
        spawner.errors = .file(paths[2], flags: O_WRONLY | O_CREAT)
        let id = try spawner.spawn()
        let status = await Self.waitForExit(of: id)
        code = status & 0x7F == 0 ? (status >> 8) & 0xFF : -(status & 0x7F)
        output = try String(contentsOfFile: paths[1], encoding: .utf8)
        errors = try String(contentsOfFile: paths[2], encoding: .utf8)
    }

    /// The path of a program of this package, or `name` if it is a path.
    static func path(of name: String) throws -> String {
        if name.contains("/") { return name }
        let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return URL(filePath: tests).deletingLastPathComponent().appending(path: name).path
    }

    private static func waitForExit(of id: pid_t) async -> Int32 {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                var status: Int32 = 0
                while waitpid(id, &status, 0) < 0, errno == EINTR {}
                continuation.resume(returning: status)
            }
        }
    }
}
