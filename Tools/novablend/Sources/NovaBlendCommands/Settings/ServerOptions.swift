import CommandLineKit
import Contract
import JSONRPC
import MCP
import NovaBlendEngine
import NovaBlendMethods

/// The options that several commands share, and those of `serve`. All of them except `--json`,
/// `--no-input`, `--config`, `--profile`, and those that language clients append are also keys of the
/// configuration file.
enum ServerOptions {
    static let json = Option("json", "print the result as JSON on one line, for scripts")
    static let noInput = Option("no-input", "never ask a question, as if there were no terminal")
    static let outputGroup = OptionGroup("Input and output", [json, noInput])

    static let profile = Option(
        "profile",
        .text("NAME"),
        "use section [profile NAME] of the configuration file (default: $NOVABLEND_PROFILE)"
    )
    static let config = Option(
        "config",
        .file,
        "the configuration file (default: $XDG_CONFIG_HOME/novablend/config)"
    )

    /// The options of every command that uses a server.
    static let group = OptionGroup(
        "Server, account, and directories",
        endpoints + credentials + shared + [profile, config]
    )

    /// The keys of the configuration file.
    private static let configurable = endpoints + credentials + shared + serving

    /// A profile inherits only the keys that are independent of the server. It does not inherit
    /// URLs and credentials, so the credentials of one server are never sent to another.
    static let schema = ConfigurationFile.Schema(
        options: configurable,
        inherited: shared + serving
    )
}

/// The options that name the server.
extension ServerOptions {
    static let baseURL = Option(
        "base-url",
        .httpURL,
        ListedResource.all.reduce(
            "the server; its paths are /salons, /appointments, /salons/{id}/availability, /holds"
        ) { "\($0), /\($1.name)" }
    )
    static let sandbox = Option("sandbox", "use a temporary local server with sample salons")
    static let salonsURL = url(SalonListCodec.name, "of the salons")
    static let appointmentsURL = url(AppointmentListCodec.name, "of the appointments")
    static let availabilityURL = url("availability", "of free slots, with {id} for the salon")
    static let holdsURL = url("holds", "at which free slots are held")
    /// The URL of each list.
    static let listURLs = ListedResource.all.map { list in
        (list: list.name, option: url(list.name, "of /\(list.name)"))
    }

    /// The URLs that can be set individually.
    private static let individualURLs =
        [salonsURL, appointmentsURL, availabilityURL, holdsURL] + listURLs.map(\.option)

    /// All URLs of the server.
    static let urls = [baseURL] + individualURLs

    private static let endpoints: [any CommandOption] = [baseURL, sandbox] + individualURLs

    private static func url(_ name: String, _ use: String) -> Option<String> {
        Option("\(name)-url", .httpURL, "the URL \(use); overrides --base-url")
    }
}

/// The options that say where secrets are. A secret itself is never an argument.
extension ServerOptions {
    static let tokenFile = Option(
        "token-file",
        .file,
        "a file that contains a token and that only its owner can read"
    )
    static let tokenCommand = Option(
        "token-command",
        .text("COMMAND"),
        "a command that prints a token within 10 s. It runs without a shell; put quotes around "
            + "an argument with spaces. It runs again when the server rejects the token"
    )
    static let clientCertificate = Option(
        "client-certificate",
        .file,
        "the client certificate for mutual TLS (PEM)"
    )
    static let clientKey = Option(
        "client-key",
        .file,
        "the private key of the client certificate (PEM), unless it is in the same file"
    )

    static let credentials: [any CommandOption] = [
        tokenFile, tokenCommand, clientCertificate, clientKey,
    ]
}

/// The options that are independent of the server.
extension ServerOptions {
    static let cacheDirectory = Option(
        "cache-dir",
        .absoluteDirectory,
        "the directory of the cache for offline use (default: $XDG_CACHE_HOME/novablend)"
    )
    static let stateDirectory = Option(
        "state-dir",
        .absoluteDirectory,
        "the directory of the journal of pending bookings (default: $XDG_STATE_HOME/novablend)"
    )
    static let certificateFile = Option(
        "ca-file",
        .file,
        "trust these certificates (PEM) instead of the system's"
    )
    static let certificateDirectory = Option(
        "ca-directory",
        .absoluteDirectory,
        "trust the certificates in this directory, prepared by openssl rehash"
    )
    static let proxyOfEnvironment = "environment"
    static let proxy = Option(
        "proxy",
        .url(
            schemes: ["http", "https", "socks5", "socks5h"],
            example: "http://proxy.example:3128",
            or: proxyOfEnvironment
        ),
        "the proxy for all requests; \(proxyOfEnvironment) means the proxy in https_proxy"
    )
    static let softDeadline = Option(
        "soft-deadline",
        .seconds(upTo: 3_600),
        "use a fresh cached list if the server does not respond within this time; 0 means never "
            + "(default: 2)"
    )
    static let timeout = Option(
        "timeout",
        ValueKind.integer(1...3_600, "SECONDS").map { Duration.seconds($0) },
        "end a call that makes no progress for this time, with all its requests (default: 20)"
    )
    static let readOnly = Option("read-only", "reject commands and calls that change something")
    static let maximumResponse = Option(
        "max-response",
        .integer(1...(1 << 30), "BYTES"),
        "reject larger lists from the server, all pages together (default: 67108864)"
    )

    private static let shared: [any CommandOption] = [
        cacheDirectory, stateDirectory, certificateFile, certificateDirectory, proxy, softDeadline,
        timeout, readOnly, maximumResponse,
    ]
}

/// The options that only `serve` has.
extension ServerOptions {
    private static let toolSets =
        [ToolSet.booking, .admin] + ListedResource.all.map(\.toolSet) + [.cache]

    static let tools = Option(
        "tools",
        ValueKind.text("NAMES").map { ToolSelection($0) },
        toolSets.reduce("the tools for agents (MCP): ") { "\($0)\($1.name), " }
            + "\(ToolSelection.all), or single tools, separated by commas; a - before a name "
            + "excludes it (default: \(ToolSet.booking.name))"
    )
    static let resultSchemas = Option(
        "result-schemas",
        "list tools (MCP) with the schemas of their results, for clients that write code"
    )
    static let confirm = Option(
        "confirm",
        .choice(Consent.Policy.self),
        "which calls of agents (MCP) need the consent of the user (default: "
            + "\(AgentSettings.standardConsent.rawValue)). when-possible: all that book, hold, change, or "
            + "overwrite something, if the client can ask. always: the same, and they fail if the client "
            + "cannot ask. destructive: if the client can ask, those that move, cancel, discard, "
            + "overwrite, or change a salon, or that do not state what they book. never: none"
    )
    static let confirmTimeout = Option(
        "confirm-timeout",
        ValueKind.integer(1...86_400, "SECONDS").map { Duration.seconds($0) },
        "how long to wait for the user's answer to a question (default: 240)"
    )
    static let framing = Option(
        "framing",
        .choice(FramingMode.self),
        "how messages are separated; auto detects it from the first line (default: auto)"
    )
    static let trace = Option(
        "trace",
        .file,
        "record all messages in a file, without personal data"
    )
    static let maximumMessage = Option(
        "max-message",
        .integer(1...(1 << 30), "BYTES"),
        "reject longer messages from the client (default: 16777216)"
    )
    static let listMemory = Option(
        "list-memory",
        .integer(0...(1 << 40), "BYTES"),
        "keep cached lists in memory up to this size together (default: 67108864)"
    )

    static let verbose = Option(
        "verbose",
        "also print what helps to find out why the program does what it does"
    )

    static let serving: [any CommandOption] = [
        tools, resultSchemas, confirm, confirmTimeout, framing, trace, maximumMessage, listMemory,
        verbose,
    ]
}

/// The options that clients of language servers append to the command.
extension ServerOptions {
    static let stdio = Option("stdio", "use standard input and output, which is the default")
    static let clientProcessID = Option(
        "clientProcessId",
        .integer(1...Int32.max),
        "end when this process ends"
    )
    private static let nodeIPC = Option("node-ipc", "not supported; use --stdio")
    private static let socket = Option("socket", .text("PORT"), "not supported; use --stdio")
    private static let pipe = Option("pipe", .text("NAME"), "not supported; use --stdio")

    static let languageClient: [any CommandOption] = [
        stdio, clientProcessID, nodeIPC, socket, pipe,
    ]

    /// Throws `usage` for a transport that is not supported.
    static func checkTransport(_ invocation: Invocation) throws(CommandError) {
        let names =
            [(nodeIPC.name, invocation.has(nodeIPC)), (socket.name, invocation[socket] != nil)]
            + [(pipe.name, invocation[pipe] != nil)]
        guard let (name, _) = names.first(where: { $0.1 }) else { return }
        throw CommandError(
            .usage,
            "--\(name) is not supported; the program only speaks over standard input and output",
            suggestions: ["--stdio"]
        )
    }
}

extension ValueKind<String> {
    fileprivate static let httpURL = url(example: "https://salons.example")
}
