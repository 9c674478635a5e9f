import Foundation
import Testing

/// Kills a program with SIGKILL at the start of its `step`th call of the system call `call`.
///
/// strace counts the calls of each thread separately. Therefore the same step can hit different places
/// in different runs.
struct Tracer {
    static let program = "/usr/bin/strace"

    /// Whether strace is installed and may trace programs on this machine.
    static let isAllowed: Bool = {
        let child = try? ChildProcess(program, ["-qq", "-e", "trace=none", "/bin/true"])
        child?.endInput()
        return child?.waitForExit() == 0
    }()

    var call: String
    var step: Int

    /// The arguments of strace. With `-D`, the traced program is our child and strace is its child, so
    /// the exit code is that of the program.
    var arguments: [String] {
        [
            "-D", "-f", "-qq", "-o", "/dev/null", "-e", "trace=\(call)", "-e",
            "inject=\(call):signal=KILL:when=\(step)",
        ]
    }
}

extension Tracer {
    /// Limits the number of kills. Without a limit, a process that does more after each kill would
    /// keep the test going forever.
    static let maximumSteps = 500

    /// Calls `body` with a tracer for each step of a system call, until it returns false because the
    /// program was not killed.
    static func forEachStep(
        of call: String,
        _ body: (Tracer) async throws -> Bool
    ) async throws {
        var tracer = Tracer(call: call, step: 1)
        while try await body(tracer) {
            tracer.step += 1
            try #require(tracer.step <= maximumSteps, "\(call) is called more and more often")
        }
        #expect(tracer.step > 1, "\(call) was never called")
        print("killed at \(call): \(tracer.step - 1) times")
    }
}
