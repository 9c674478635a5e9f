import Glibc
import SystemSupport

/// A running program whose output is read. Its standard input is empty, its standard error is
/// discarded, and it has a session of its own.
struct ChildProcess: ~Copyable {
    /// How the program ended.
    enum Outcome {
        /// It exited with this status (128 plus the signal's number if a signal ended it) and output.
        case exited(code: Int32, output: [UInt8])
        /// It was killed because it did not exit in time.
        case timedOut
        /// It was killed because it printed too much.
        case outputTooLong
    }

    private let id: pid_t
    private let output: Int32
    private static let maximumOutput = 64 << 10
    private static let pollInterval = Duration.milliseconds(20)

    /// Starts `words[0]`, found in `PATH`.
    init(_ words: [String]) throws(SystemError) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw SystemError(code: errno) }
        // The program's end stays blocking: few programs expect anything else.
        _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
        var spawner = ProcessSpawner(words)
        spawner.output = .descriptor(ends[1])
        spawner.startsSession = true
        defer { close(ends[1]) }
        do throws(SystemError) {
            id = try spawner.spawn()
        } catch {
            close(ends[0])
            throw error
        }
        output = ends[0]
    }

    deinit { close(output) }

    /// Reads the output until the program exits; kills it if that takes longer than `timeout`.
    consuming func readOutput(timeout: Duration) -> Outcome {
        let deadline = ContinuousClock.now.advanced(by: timeout)
        var bytes: [UInt8] = []
        var isOpen = true
        while true {
            if isOpen { isOpen = read(into: &bytes) }
            if bytes.count > Self.maximumOutput { return kill(.outputTooLong) }
            var status: Int32 = 0
            if waitpid(id, &status, WNOHANG) == id {
                // A process that it started may still hold the pipe.
                if isOpen { _ = read(into: &bytes) }
                return .exited(code: Self.exitCode(status), output: bytes)
            }
            let remaining = ContinuousClock.now.duration(to: deadline)
            guard remaining > .zero else { return kill(.timedOut) }
            wait(min(remaining, Self.pollInterval), isOpen)
        }
    }

    /// Reads what is available; false at the end of the output.
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

    /// Waits until there is output, at most for `duration`. An exit alone does not end the wait.
    private func wait(_ duration: Duration, _ isOpen: Bool) {
        var entry = pollfd(fd: isOpen ? output : -1, events: Int16(POLLIN), revents: 0)
        _ = poll(&entry, 1, Int32(duration / .milliseconds(1)) + 1)
    }

    /// Kills it and everything that it started in its session.
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
