/// What a shell offers as completions of a value.
public enum ShellCompletion: Sendable, Hashable {
    /// The shell offers nothing.
    case none
    /// The shell offers files and directories.
    case files
    /// The shell offers only directories.
    case directories
    /// The shell offers these words.
    case words([String])
    /// The shell offers what ``Program/complete`` returns.
    case candidates
}
