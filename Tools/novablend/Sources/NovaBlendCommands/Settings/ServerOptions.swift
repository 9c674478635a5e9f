import CommandLineKit
import MCP
import NovaBlendEngine
import NovaBlendMethods

/// The options that name the server, the account, and the directories. All of them except
/// `--config` and `--profile` are also keys of the configuration file.
enum ServerOptions {
    static let outputGroup = OptionGroup(
        "Input and output",
        [
            Option("json", "print the result as JSON on one line, for scripts"),
            Option("no-input", "never ask a question, as if there were no terminal"),
        ]
    )

    /// The options of every command that uses a server.
    static let group = OptionGroup(
        "Server, account, and directories",
        endpoints + credentials + shared + [
            Option(
                "profile",
                .text("NAME"),
                "use section [profile NAME] of the configuration file (default: $NOVABLEND_PROFILE)"
            ),
            Option(
                "config",
                .file,
                "the configuration file (default: $XDG_CONFIG_HOME/novablend/config)"
            ),
        ]
    )

    /// The keys of the configuration file.
    static let configurable: [Option] = endpoints + credentials + shared + serving

    /// A profile inherits only the keys that are independent of the server. It does not inherit
    /// URLs and credentials, so the credentials of one server are never sent to another.
    static let schema = ConfigurationFile.Schema(
        options: configurable,
        inheritedKeys: Set((shared + serving).map(\.name))
    )

    private static let toolSets =
        [ToolSet.booking, .admin] + ListedResource.all.map(\.toolSet) + [.cache]

    private static let endpoints: [Option] =
        [
            Option(
                "base-url",
                .httpURL,
                ListedResource.all.reduce(
                    "the server; its paths are /salons, /appointments, /salons/{id}/availability, /holds"
                ) { "\($0), /\($1.name)" }
            ),
            Option("sandbox", "use a temporary local server with sample salons"),
        ]
        + urls.map { Option("\($0.name)-url", .httpURL, "the URL \($0.use); overrides --base-url") }

    /// The URLs that can be set individually.
    private static let urls: [(name: String, use: String)] =
        [
            ("salons", "of the salons"), ("appointments", "of the appointments"),
            ("availability", "of free slots, with {id} for the salon"),
            ("holds", "at which free slots are held"),
        ] + ListedResource.all.map { ($0.name, "of /\($0.name)") }

    /// The options that say where secrets are. A secret itself is never an argument.
    static let credentials: [Option] = [
        Option(
            "token-file",
            .file,
            "a file that contains a token and that only its owner can read"
        ),
        Option(
            "token-command",
            .text("COMMAND"),
            "a command that prints a token within 10 s. It runs without a shell; put quotes around "
                + "an argument with spaces. It runs again when the server rejects the token"
        ),
        Option("client-certificate", .file, "the client certificate for mutual TLS (PEM)"),
        Option(
            "client-key",
            .file,
            "the private key of the client certificate (PEM), unless it is in the same file"
        ),
    ]

    private static let shared: [Option] = [
        Option(
            "cache-dir",
            .absoluteDirectory,
            "the cache for offline use (default: $XDG_CACHE_HOME/novablend)"
        ),
        Option(
            "state-dir",
            .absoluteDirectory,
            "the journal of pending bookings (default: $XDG_STATE_HOME/novablend)"
        ),
        Option("ca-file", .file, "trust these certificates (PEM) instead of the system's"),
        Option(
            "ca-directory",
            .absoluteDirectory,
            "trust the certificates in this directory, prepared by openssl rehash"
        ),
        Option(
            "proxy",
            .url(
                schemes: ["http", "https", "socks5", "socks5h"],
                example: "http://proxy.example:3128",
                or: "environment"
            ),
            "the proxy for all requests; environment means the proxy in https_proxy"
        ),
        Option(
            "soft-deadline",
            .seconds(upTo: 3_600),
            "use a fresh cached list if the server does not respond within this time; 0 means never "
                + "(default: 2)"
        ),
        Option("read-only", "reject commands that change something"),
        Option(
            "max-response",
            .integer(1...(1 << 30), "BYTES"),
            "reject larger lists from the server, all pages together (default: 67108864)"
        ),
    ]

    /// The options that only `serve` has.
    static let serving: [Option] = [
        Option(
            "tools",
            .text("NAMES"),
            toolSets.reduce("the tools for agents (MCP): ") { "\($0)\($1.name), " }
                + "\(ToolSelection.all), or single tools, separated by commas; a - before a name "
                + "excludes it (default: \(ToolSet.booking.name))"
        ),
        Option(
            "confirm",
            .choice(Consent.Policy.allCases.map(\.rawValue)),
            "which calls of agents (MCP) need the consent of the user: always means that calls fail if "
                + "the client cannot ask, and destructive means only calls that move, cancel, discard, or "
                + "overwrite, or that do not state what they book (default: "
                + "\(AgentSettings().consent.rawValue))"
        ),
        Option(
            "confirm-timeout",
            .integer(1...86_400, "SECONDS"),
            "how long a question to the user waits for its answer (default: 240)"
        ),
        Option(
            "framing",
            .choice(["auto", "headers", "lines"]),
            "how messages are separated (default: auto)"
        ),
        Option("trace", .file, "record all messages in a file, without personal data"),
        Option(
            "max-message",
            .integer(1...(1 << 30), "BYTES"),
            "reject longer messages from the client (default: 16777216)"
        ),
        Option(
            "list-memory",
            .integer(0...(1 << 40), "BYTES"),
            "keep cached lists in memory up to this size together (default: 67108864)"
        ),
    ]
}

extension ValueKind {
    fileprivate static let httpURL = ValueKind.url(example: "https://salons.example")
}
