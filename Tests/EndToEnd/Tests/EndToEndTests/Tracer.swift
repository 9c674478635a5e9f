import Foundation

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
