import Foundation
import SystemSupport

/// A process that inherits nothing but its standard streams.
///
/// Foundation's `Process` is not used for two reasons. Its children inherit descriptors that other
/// tests open at the same time, so that those pipes and connections stay open. And it polls while it
/// waits for an exit.
final class SpawnedProcess: Sendable {
    let id: pid_t
    /// Our ends of the pipes to its standard input and from its standard output.
    let input: Int32
    let output: Int32
    private let exit = Exit()

    /// The exit status of a process, once it has ended.
    private final class Exit: @unchecked Sendable {
        // Only read and written while the condition is locked.
        private var status: Int32?
        private let condition = NSCondition()

        var isKnown: Bool { condition.withLock { status != nil } }

        /// Waits for the exit. The kernel does not reuse the process id before `waitpid`, which runs
        /// under the lock.
        func await(_ id: pid_t) {
            var info = siginfo_t()
            while waitid(P_PID, id_t(id), &info, WEXITED | WNOWAIT) < 0, errno == EINTR {}
            condition.withLock {
                var raw: Int32 = 0
                while waitpid(id, &raw, 0) < 0, errno == EINTR {}
                // The exit code, or the number of the signal; a shell would add 128 to the latter.
                status = raw & 0x7F == 0 ? (raw >> 8) & 0xFF : raw & 0x7F
                condition.broadcast()
            }
        }

        /// Sends a signal, unless the exit is known: the process id may have been reused by then.
        func signal(_ number: Int32, to id: pid_t) {
            condition.withLock { if status == nil { kill(id, number) } }
        }

        func isKnown(by deadline: Date) -> Bool {
            condition.withLock {
                while status == nil, condition.wait(until: deadline) {}
                return status != nil
            }
        }

        func wait() -> Int32 {
            condition.withLock {
                while true {
                    if let status { return status }
                    condition.wait()
                }
            }
        }
    }

    /// Starts `words[0]`, a path; its standard error goes to the new file `errors`.
    init(_ words: [String], _ environment: [String: String]?, errors: String) throws {
        let (toChild, fromChild) = (try Self.makePipe(), try Self.makePipe())
        defer { for end in [toChild.read, fromChild.write] { close(end) } }
        var spawner = ProcessSpawner(words)
        spawner.environment = environment
        spawner.input = .descriptor(toChild.read)
        spawner.output = .descriptor(fromChild.write)
        spawner.errors = .file(errors, flags: O_WRONLY | O_CREAT | O_APPEND)
        let id = try spawner.spawn()
        (self.id, input, output) = (id, toChild.write, fromChild.read)
        Thread.detachNewThread { [exit] in exit.await(id) }
    }

    private static func makePipe() throws -> (read: Int32, write: Int32) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw SystemError(code: errno) }
        // Between the two calls, a process that other code starts could inherit the ends; a
        // ProcessSpawner closes them in its children.
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    /// Sends a signal, unless the process has ended.
    func signal(_ number: Int32) { exit.signal(number, to: id) }

    var isRunning: Bool { !exit.isKnown }

    /// Whether the process ends before the deadline.
    func hasEnded(by deadline: Date) -> Bool { exit.isKnown(by: deadline) }

    /// Waits until the process has ended. Returns its exit code, or the number of the signal that
    /// ended it.
    func waitForExit() -> Int32 { exit.wait() }
}
