import Foundation
import SystemSupport

/// A process that inherits nothing but its standard streams.
///
/// Foundation's `Process` passes on descriptors that other tests open while it starts, so that their
/// pipes and connections stay open, and it waits for an exit without sleeping.
final class SpawnedProcess: Sendable {
    let id: pid_t
    /// Our end of its standard input, and of its standard output.
    let input: Int32
    let output: Int32
    private let exit = Exit()

    /// How it ended.
    private final class Exit: @unchecked Sendable {
        // Only read and written while the condition is locked.
        private var status: Int32?
        private let condition = NSCondition()

        var isKnown: Bool { condition.withLock { status != nil } }

        /// Waits for the exit. Until it is noted, the number of the process stays taken.
        func await(_ id: pid_t) {
            var info = siginfo_t()
            while waitid(P_PID, id_t(id), &info, WEXITED | WNOWAIT) < 0, errno == EINTR {}
            condition.withLock {
                var raw: Int32 = 0
                while waitpid(id, &raw, 0) < 0, errno == EINTR {}
                // As a shell has it, but for the 128 that it adds to the number of a signal.
                status = raw & 0x7F == 0 ? (raw >> 8) & 0xFF : raw & 0x7F
                condition.broadcast()
            }
        }

        /// Sends a signal, unless the exit was noted: its number may be taken again.
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
        // Programs that other code starts at this moment may still inherit the ends; a
        // ProcessSpawner closes them.
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    /// Sends a signal, unless it has ended.
    func signal(_ number: Int32) { exit.signal(number, to: id) }

    var isRunning: Bool { !exit.isKnown }

    /// Whether it ends before the deadline.
    func hasEnded(by deadline: Date) -> Bool { exit.isKnown(by: deadline) }

    /// Waits until it has ended; its exit code, or the number of the signal that ended it.
    func waitForExit() -> Int32 { exit.wait() }
}
