import Glibc

/// A system call failed.
public struct SystemError: Error, Sendable, Hashable {
    /// The value of `errno` (`errno(3)`).
    public let code: Int32

    /// Makes an error from a value of `errno`.
    public init(code: Int32) { self.code = code }

    /// The error of the system call that failed last in this thread.
    static var current: SystemError { SystemError(code: errno) }
}

extension SystemError: CustomStringConvertible {
    /// The system's text, like `No space left on device`.
    public var description: String { String(cString: strerror(code)) }
}
