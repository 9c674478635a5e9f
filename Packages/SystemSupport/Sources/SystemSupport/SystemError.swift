import Glibc

/// The error of a failed system call.
public struct SystemError: Error, Sendable, Hashable {
    /// The error number, as in `errno(3)`.
    public let code: Int32

    /// Creates an error from a value of `errno`.
    public init(code: Int32) { self.code = code }

    /// The error of the most recent failed system call in this thread.
    static var current: SystemError { SystemError(code: errno) }
}

extension SystemError: CustomStringConvertible {
    /// The system's message, such as `No space left on device`.
    public var description: String { String(cString: strerror(code)) }
}
