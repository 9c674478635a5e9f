/// Why a connection ended.
public enum TerminationReason: Sendable, Hashable {
    /// The input ended, or reading it failed, after a complete message.
    case endOfInput
    /// The input ended, or reading it failed, in the middle of a message; or no thread could be
    /// started to read it.
    case truncatedInput
    /// The peer sent `exit`. The code is 0 after `shutdown` and 1 otherwise (LSP 3.17, "Exit
    /// Notification").
    case exit(code: Int32)
    /// The output could not be written, usually because its other end is closed.
    case outputClosed
    /// ``Connection/stop()`` was called.
    case stopped
    /// The parent process, or the process that `initialize` named, exited.
    case parentExited

    /// The exit code for a server: the code of ``exit(code:)``, 1 for ``truncatedInput``, and 0 for
    /// any other reason.
    public var exitCode: Int32 {
        switch self {
        case .endOfInput, .outputClosed, .stopped, .parentExited: 0
        case .truncatedInput: 1
        case .exit(let code): code
        }
    }
}
