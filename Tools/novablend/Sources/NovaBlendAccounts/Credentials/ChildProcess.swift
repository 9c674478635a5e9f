import Glibc
import SystemSupport

/// A child process whose output is read. Its standard input is empty, its standard error is
/// discarded, and it runs in a new session.
struct ChildProcess: ~Copyable {
    /// How the process ended.
    enum Outcome {
        /// The process exited. If a signal ended it, the code is 128 plus the signal's number.
        case exited(code: Int32, output: [UInt8])
        /// The process was killed because it did not exit in time.
        case timedOut
        /// The process was killed because it printed too much.
        case outputTooLong
    }

    private let id: pid_t
    private let output: Int32
    private static let maximumOutput = 64 << 10
    private static let pollInterval = Duration.milliseconds(20)

    /// Starts the program `words[0]`, which is looked up in `PATH`, with the other words as
    /// arguments.
    init(_ words: [String]) throws(SystemError) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw SystemError(code: errno) }
        // Only this end is non-blocking: few programs expect a non-blocking standard output.
        _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
        var spawner = ProcessSpawner(words)
        spawner.output = .descriptor(ends[1])
        spawner.startsSession = true
        defer { close(ends[1]) }
        do {
            id = try spawner.spawn()
        } catch {
            close(ends[0])
            throw error
        }
        output = ends[0]
    }

    deinit { close(output) }

    /// Reads the output until the process exits. Kills it if that takes longer than `timeout`.
    consuming func readOutput(timeout: Duration) -> Outcome {
        let deadline = ContinuousClock.now.advanced(by: timeout)
        var bytes: [UInt8] = []
        var isOpen = true
        while true {
            if isOpen { isOpen = read(into: &bytes) }
            if bytes.count > Self.maximumOutput { return kill(.outputTooLong) }
            var status: Int32 = 0
            if waitpid(id, &status, WNOHANG) == id {
                // Read the rest without waiting for the end of the output: a process that the
                // program started may still have the pipe open.
                if isOpen { _ = read(into: &bytes) }
                return .exited(code: Self.exitCode(status), output: bytes)
            }
            let remaining = ContinuousClock.now.duration(to: deadline)
            guard remaining > .zero else { return kill(.timedOut) }
            wait(min(remaining, Self.pollInterval), isOpen)
        }
    }

    /// Reads the available output. Returns false at its end.
    private func read(into bytes: inout [UInt8]) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while bytes.count <= Self.maximumOutput {
            let count = Glibc.read(output, &buffer, buffer.count)
            if count > 0 {
                bytes += buffer.prefix(count)
            } else if count == 0 {
                return false
            } else if errno != EINTR {
                return errno == EAGAIN
            }
        }
        return true
    }

    /// Waits for output or its end, for `duration` at most. If the process exits while another
    /// process has the output open, the wait continues.
    private func wait(_ duration: Duration, _ isOpen: Bool) {
        var entry = pollfd(fd: isOpen ? output : -1, events: Int16(POLLIN), revents: 0)
        _ = poll(&entry, 1, Int32(duration / .milliseconds(1)) + 1)
    }

    /// Kills the process and everything else in its process group.
    private func kill(_ outcome: Outcome) -> Outcome {
        Glibc.kill(-id, SIGKILL)
        var status: Int32 = 0
        while waitpid(id, &status, 0) < 0, errno == EINTR {}
        return outcome
    }

    private static func exitCode(_ status: Int32) -> Int32 {
        let signal = status & 0x7F
        return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
    }
}
