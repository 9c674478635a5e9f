import CommandLineKit
import Glibc
import JSON
import NovaBlendConfiguration
import SystemSupport

/// The program `novablend`.
enum NovaBlendProgram {
    static let program = Program(
        name: "novablend",
        version: BuildStamp.current.description,
        summary: "list salons, book appointments, and show bookings, online or offline",
        description: [
            "Lists come from the server, or from a cache on disk if there is no connection.",
            "Without arguments, it runs serve if its standard input is a pipe.",
            "A booking is made at most once and is never queued.",
            "Results go to standard output, everything else to standard error. With --json, a "
                + "command prints the result of its JSON-RPC method on one line, or the error as "
                + "one JSON object on standard error.",
        ],
        commands: commands,
        configurationFile: .init(
            "$XDG_CONFIG_HOME/novablend/config",
            "Each line is key = value. A key is the name of an option above without its dashes. The "
                + "value of a flag is true or false. # begins a comment. The command line takes "
                + "precedence. The file is --config FILE or $XDG_CONFIG_HOME/novablend/config "
                + "(~/.config/novablend/config); the latter is optional. Keys below [profile NAME] "
                + "belong to a profile, which inherits the keys above the first section, except "
                + "the server's URLs and credentials."
        ),
        files: [
            .init("$XDG_CACHE_HOME/novablend", "The cache for offline use."),
            .init("$XDG_STATE_HOME/novablend", "The journal of pending bookings."),
        ],
        environment: [
            .init("NOVABLEND_PROFILE", "the profile, unless --profile names one"),
            .init("NOVABLEND_TOKEN", "the token for the server of the selected profile"),
            .init(
                "https_proxy, http_proxy, all_proxy, no_proxy",
                "used only with --proxy environment"
            ),
            .init(
                "XDG_CONFIG_HOME, XDG_CACHE_HOME, XDG_STATE_HOME",
                "absolute paths of base directories; the defaults are below HOME, or below the home "
                    + "directory of the password database if HOME is empty"
            ),
            .init("NO_COLOR", "if not empty, tables on a terminal have no color"),
            .init("TZDIR", "the directory of time zones (default: /usr/share/zoneinfo)"),
        ],
        exitCodes: ExitCode.meanings,
        examples: [
            .init("novablend salons --sandbox", "try it with sample salons"),
            .init("novablend help book", "learn about a command"),
        ],
        complete: CachedCandidates.find
    )

    static let methodCommands: [MethodCommand] = [
        .salons, .services, .staff, .slots, .week, .day, .book, .hold, .release, .appointments,
        .reschedule, .cancel, .resolve, .showSalon, .putSalon, .deleteSalon, .cache,
    ]

    private static let commands: [Command] =
        methodCommands.map(\.command) + [
            WatchCommand.command, DoctorCommand.command, ServeCommand.command,
            Program.completionsCommand(examples: [
                .init("source <(novablend completions bash)", "in ~/.bashrc"),
                .init(
                    "novablend completions fish > ~/.config/fish/completions/novablend.fish",
                    "for fish"
                ),
            ]),
            Program.manualCommand(examples: [.init("novablend man | man -l -", "read it")]),
        ]

    /// Runs the command in `arguments`. Without arguments, it runs `serve` if a program is connected to
    /// standard input, because registries of MCP servers start a program only by its name.
    ///
    /// Writes an error to standard error: as text, or with `--json` as a JSON-RPC error object.
    static func run(_ arguments: [String]) async -> ExitCode {
        let terminal = Terminal()
        do {
            let serves = arguments.isEmpty && isConnected(STDIN_FILENO)
            let words = serves ? [ServeCommand.command.name] : arguments
            return try await program.perform(words, on: terminal)
        } catch {
            return report(error, arguments, on: terminal)
        }
    }

    /// Writes an error to standard error, and returns the exit code.
    static func report(
        _ error: CommandError,
        _ arguments: [String],
        on terminal: Terminal
    ) -> ExitCode {
        if requestsJSON(arguments) {
            let encoded = SafeText.json(error.rpcError.encoded.bytes)
            terminal.printError(String(decoding: encoded, as: UTF8.self))
        } else {
            terminal.show(error, program: program.name)
        }
        return error.exitCode
    }

    /// Whether a descriptor is a pipe or a socket, which Node.js uses instead of pipes.
    private static func isConnected(_ descriptor: Int32) -> Bool {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return false }
        return [S_IFIFO, S_IFSOCK].contains(status.st_mode & S_IFMT)
    }

    /// Whether the command line has the option `--json`. If it cannot be parsed, the value of an
    /// option counts, too.
    static func requestsJSON(_ arguments: [String]) -> Bool {
        if case .run(let invocation)? = try? CommandLineParser(program).parse(arguments) {
            return invocation.has(ServerOptions.json)
        }
        return arguments.prefix { $0 != "--" }.contains("--json")
    }
}
