/// Why a server stopped.
public enum Ending: Sendable, Hashable {
    /// The input ended between two messages, and accepted work was finished.
    case endOfInput
    /// The input ended in the middle of a message.
    case truncatedInput
    /// The peer sent `exit`; the code is 0 after `shutdown` and 1 without, as LSP has it.
    case exit(code: Int32)
    /// Nobody reads the output any more.
    case outputClosed
    /// The process was asked to end, and accepted work was finished.
    case stopped

    /// The process that started this one, or that it works for, ended; accepted work was finished.
    case parentEnded

    /// What a process ends with.
    public var exitCode: Int32 {
        switch self {
        case .endOfInput, .outputClosed, .stopped, .parentEnded: 0
        case .truncatedInput: 1
        case .exit(let code): code
        }
    }
}

/// Who a server says it is.
public struct ServerInfo: Sendable, Hashable {
    /// Its name.
    public var name: String
    /// Its version.
    public var version: String

    /// Makes a description.
    public init(name: String, version: String) {
        self.name = name
        self.version = version
    }
}
