/// What a shell offers as completions of a value.
public enum ShellCompletion: Sendable, Hashable {
    /// Nothing.
    case none
    /// Files and directories.
    case files
    /// Only directories.
    case directories
    /// One of these words.
    case words([String])
    /// What ``Program/complete`` returns.
    case candidates
}
