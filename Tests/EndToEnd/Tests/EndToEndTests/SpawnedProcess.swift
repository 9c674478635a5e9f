import Foundation
import Spawning

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
        var (toChild, fromChild): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
        guard nb_pipe(&toChild) == 0, nb_pipe(&fromChild) == 0 else {
            throw POSIXError(.EMFILE)
        }
        defer { for end in [toChild[0], fromChild[1]] { close(end) } }
        let id = try Self.spawn(words, environment, toChild[0], fromChild[1], errors)
        (self.id, input, output) = (id, toChild[1], fromChild[0])
        Thread.detachNewThread { [exit] in exit.await(id) }
    }

    private static func spawn(
        _ words: [String],
        _ environment: [String: String]?,
        _ input: Int32,
        _ output: Int32,
        _ errors: String
    ) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        let flags = O_WRONLY | O_CREAT | O_APPEND
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, errors, flags, 0o600)
        nb_close_from(&actions, STDERR_FILENO + 1)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigaddset(&signals, SIGPIPE)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(
            &attributes,
            Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK)
        )
        var vector = words.map { strdup($0) } + [nil]
        var variables =
            (environment ?? ProcessInfo.processInfo.environment)
            .map { strdup("\($0)=\($1)") } + [nil]
        defer { for text in vector + variables { free(text) } }
        var id: pid_t = 0
        let code = posix_spawn(&id, words[0], &actions, &attributes, &vector, &variables)
        guard code == 0 else { throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EINVAL) }
        return id
    }

    /// Sends a signal, unless it has ended.
    func signal(_ number: Int32) { exit.signal(number, to: id) }

    var isRunning: Bool { !exit.isKnown }

    /// Whether it ends before the deadline.
    func hasEnded(by deadline: Date) -> Bool { exit.isKnown(by: deadline) }

    /// Waits until it has ended; its exit code, or the number of the signal that ended it.
    func waitForExit() -> Int32 { exit.wait() }
}
