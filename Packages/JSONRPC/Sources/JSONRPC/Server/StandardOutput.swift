import Glibc

/// Keeps the descriptor of standard output for messages alone.
public enum StandardOutput {
    /// Gives a descriptor for messages, and points descriptor 1 at standard error, so that whatever
    /// a library prints cannot break the stream. Call it once, before anything is printed.
    ///
    /// Throws the number of the system's error.
    public static func claim() throws(Errno) -> Int32 {
        fflush(nil)
        let messages = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
        guard messages >= 0, dup2(STDERR_FILENO, STDOUT_FILENO) >= 0 else {
            throw Errno(number: errno)
        }
        return messages
    }

    /// The number of a system's error.
    public struct Errno: Error, Hashable, CustomStringConvertible {
        /// As in `errno`.
        public let number: Int32
        /// The system's words for it.
        public var description: String { String(cString: strerror(number)) }
    }
}
