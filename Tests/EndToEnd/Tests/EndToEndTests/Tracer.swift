import Foundation

/// Kills a program with SIGKILL when it begins a certain system call for a certain time.
///
/// Each thread counts for itself, so that a step may mean several moments in several runs: what is
/// killed is always real.
struct Tracer {
    static let program = "/usr/bin/strace"

    /// Whether programs may be traced here.
    static let isAllowed: Bool = {
        let child = try? Child(program, ["-qq", "-e", "trace=none", "/bin/true"])
        child?.endInput()
        return child?.waitForExit() == 0
    }()

    var call: String
    var step: Int

    /// The traced program is our child, and the tracer its own: it is the program that ends.
    var arguments: [String] {
        [
            "-D", "-f", "-qq", "-o", "/dev/null", "-e", "trace=\(call)", "-e",
            "inject=\(call):signal=KILL:when=\(step)",
        ]
    }
}
