import Glibc
import NovaBlendSpawn

/// Starts programs with `posix_spawn(3)`, without a shell.
///
/// The new process inherits no descriptors except its three standard streams. Its signal mask is
/// empty, and SIGPIPE has its default effect, even if this process blocks or ignores signals.
public struct ProcessSpawner: Sendable {
    /// Where a standard stream of the new process comes from or goes to.
    public enum Stream: Sendable, Hashable {
        /// A descriptor of this process, which also stays open here.
        case descriptor(Int32)
        /// A file, opened with these flags (`open(2)`). A new file gets mode 0600.
        case file(String, flags: Int32)
        /// The stream is `/dev/null`.
        case null
    }

    /// The program and its arguments (`argv`). A program without a slash is searched for in `PATH`.
    public var words: [String]
    /// The environment variables; nil for those of this process.
    public var environment: [String: String]?
    /// The standard input of the new process.
    public var input = Stream.null
    /// The standard output of the new process.
    public var output = Stream.null
    /// The standard error of the new process.
    public var errors = Stream.null
    /// Whether the new process becomes the leader of a new session and process group. A signal to
    /// the group then also reaches the processes that it starts.
    public var startsSession = false

    /// Creates a spawner that starts `words[0]` with the other words as its arguments.
    public init(_ words: [String]) { self.words = words }

    /// Starts the program. Returns the id of its process, which the caller must pass to
    /// `waitpid(2)`.
    ///
    /// - Throws: `EINVAL` if ``words`` is empty, or the error of `posix_spawn`.
    public func spawn() throws(SystemError) -> Int32 {
        guard let program = words.first else { throw SystemError(code: EINVAL) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        Self.add(input, as: STDIN_FILENO, ifNull: O_RDONLY, to: &actions)
        Self.add(output, as: STDOUT_FILENO, ifNull: O_WRONLY, to: &actions)
        Self.add(errors, as: STDERR_FILENO, ifNull: O_WRONLY, to: &actions)
        nb_close_from(&actions, STDERR_FILENO + 1)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        setSignals(of: &attributes)
        var arguments = words.map { strdup($0.systemBytes) } + [nil]
        var variables =
            environment.map { $0.map { strdup("\($0)=\($1)".systemBytes) } + [nil] } ?? []
        defer { for text in arguments + variables { free(text) } }
        var id: pid_t = 0
        let code =
            environment == nil
            ? posix_spawnp(&id, program, &actions, &attributes, &arguments, environ)
            : posix_spawnp(&id, program, &actions, &attributes, &arguments, &variables)
        guard code == 0 else { throw SystemError(code: code) }
        return id
    }

    private static func add(
        _ stream: Stream,
        as number: Int32,
        ifNull access: Int32,
        to actions: inout posix_spawn_file_actions_t
    ) {
        switch stream {
        case .descriptor(let descriptor):
            posix_spawn_file_actions_adddup2(&actions, descriptor, number)
        case .file(let path, let flags):
            posix_spawn_file_actions_addopen(&actions, number, path, flags, 0o600)
        case .null:
            posix_spawn_file_actions_addopen(&actions, number, "/dev/null", access, 0)
        }
    }

    private func setSignals(of attributes: inout posix_spawnattr_t) {
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigaddset(&signals, SIGPIPE)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        let flags = Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK)
        posix_spawnattr_setflags(
            &attributes,
            startsSession ? flags | nb_new_session_flag() : flags
        )
    }
}
