import Glibc
public import SystemSupport

/// Reserves standard output for messages.
public enum StandardOutput {
    /// Returns a descriptor for messages and redirects descriptor 1 to standard error, so that a
    /// library that prints cannot corrupt the messages. Call it once, before anything is printed.
    ///
    /// - Throws: The error of the system call that failed.
    public static func claim() throws(SystemError) -> Int32 {
        fflush(nil)
        let messages = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
        guard messages >= 0, dup2(STDERR_FILENO, STDOUT_FILENO) >= 0 else {
            throw SystemError(code: errno)
        }
        return messages
    }
}
