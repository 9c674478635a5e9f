import Glibc

/// A program that runs in a session of its own, with nothing to read.
struct ChildProcess: ~Copyable {
    /// How it ended.
    enum Outcome {
        /// With this status (128 and the signal's number if a signal ended it) and output.
        case exited(code: Int32, output: [UInt8])
        /// It was killed, because it took too long.
        case tooSlow
        /// It was killed, because it printed too much.
        case tooLong
    }

    private let id: pid_t
    private let output: Int32

    private static let longestOutput = 64 << 10
    private static let pollMilliseconds: Int64 = 20

    /// Starts `words[0]`, found in `PATH`.
    init(_ words: [String]) throws(CredentialError) {
        guard let program = words.first else { throw TokenCommand.failure("it is empty") }
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            throw TokenCommand.failure(String(cString: strerror(errno)))
        }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        // The program's end stays blocking: few programs expect anything else.
        _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
        var id: pid_t = 0
        let code = Self.spawn(program, words, output: ends[1], &id)
        close(ends[1])
        guard code == 0 else {
            close(ends[0])
            throw TokenCommand.failure("it cannot be started: \(String(cString: strerror(code)))")
        }
        self.id = id
        output = ends[0]
    }

    deinit { close(output) }

    private static func spawn(
        _ program: String,
        _ words: [String],
        output: Int32,
        _ id: inout pid_t
    ) -> Int32 {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // This process may ignore or block signals; the program must not inherit that.
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigaddset(&signals, SIGPIPE)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        let flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | Self.newSession
        posix_spawnattr_setflags(&attributes, Int16(flags))
        var vector = words.map { strdup($0) } + [nil]
        defer { for word in vector { free(word) } }
        return posix_spawnp(&id, program, &actions, &attributes, &vector, environ)
    }

    /// `POSIX_SPAWN_SETSID`, which the C library only declares with its own extensions.
    private static let newSession: Int32 = 0x80

    /// Reads what it prints, and waits until it has exited.
    consuming func readOutput(limitMilliseconds: Int) -> Outcome {
        let end = ContinuousClock.now.advanced(by: .milliseconds(limitMilliseconds))
        var bytes: [UInt8] = []
        var isOpen = true
        while true {
            if isOpen { isOpen = read(into: &bytes) }
            if bytes.count > Self.longestOutput { return kill(.tooLong) }
            var status: Int32 = 0
            if waitpid(id, &status, WNOHANG) == id {
                // A process that it left behind may still have the pipe.
                if isOpen { _ = read(into: &bytes) }
                return .exited(code: Self.exitCode(status), output: bytes)
            }
            let left = ContinuousClock.now.duration(to: end) / .milliseconds(1)
            guard left > 0 else { return kill(.tooSlow) }
            wait(milliseconds: min(Int64(left) + 1, Self.pollMilliseconds), isOpen)
        }
    }

    /// Reads what is available; false at the end of the output.
    private func read(into bytes: inout [UInt8]) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while bytes.count <= Self.longestOutput {
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

    /// Returns when there is more to read, or after a while: an exit alone wakes no one.
    private func wait(milliseconds: Int64, _ isOpen: Bool) {
        var entry = pollfd(fd: isOpen ? output : -1, events: Int16(POLLIN), revents: 0)
        _ = poll(&entry, 1, Int32(milliseconds))
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
