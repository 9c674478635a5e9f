/// Why a server stopped.
public enum TerminationReason: Sendable, Hashable {
    /// The input ended after a complete message, and accepted work was finished.
    case endOfInput
    /// The input ended in the middle of a message, or could not be read.
    case truncatedInput
    /// The peer sent `exit`. The code is 0 after `shutdown` and 1 otherwise (LSP 3.17, "Exit
    /// Notification").
    case exit(code: Int32)
    /// The output cannot be written any more: no one reads it.
    case outputClosed
    /// ``StdioServer/stop()`` was called, and accepted work was finished.
    case stopped
    /// The process that started this one, or for which it works, ended. Accepted work was finished.
    case parentEnded

    /// The exit code for the process.
    public var exitCode: Int32 {
        switch self {
        case .endOfInput, .outputClosed, .stopped, .parentEnded: 0
        case .truncatedInput: 1
        case .exit(let code): code
        }
    }
}
