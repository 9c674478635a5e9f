import CommandLineKit
import NovaBlendMethods

/// The options that name the server, the account, and the directories. All of them except `--config`
/// and `--profile` are also keys of the configuration file.
enum ServerOptions {
    static let outputGroup = OptionGroup(
        "Output",
        [Option("json", "print the result as one line of JSON, for scripts")]
    )

    /// The options of every command that uses a server.
    static let group = OptionGroup(
        "Server, account, and directories",
        endpoints + credentials + shared + [
            Option(
                "profile",
                .text("NAME"),
                "the section [profile NAME] of the configuration file (NOVABLEND_PROFILE)"
            ),
            Option("config", .file, "the configuration file, in place of the usual one"),
        ]
    )

    /// The keys of the configuration file.
    static let configurable: [Option] = endpoints + credentials + shared + serving

    /// A profile inherits what is the same for every server. It does not inherit URLs and
    /// credentials: the credentials of one server are never sent to a different one.
    static let schema = ConfigurationFile.Schema(
        options: configurable,
        inheritedKeys: Set((shared + serving).map(\.name))
    )

    private static let endpoints: [Option] =
        [
            Option(
                "base-url",
                .httpURL,
                "the server; its paths are /salons, /appointments, /salons/{id}/availability, "
                    + ListedResource.all.map { "/" + $0.name }.joined(separator: ", ")
            ),
            Option("sandbox", "a temporary local server with sample salons"),
            Option("salons-url", .httpURL, "a single URL, with or without --base-url"),
            Option("appointments-url", .httpURL, "likewise"),
            Option("availability-url", .httpURL, "likewise, with {id} in place of the salon"),
        ] + ListedResource.all.map { Option("\($0.name)-url", .httpURL, "likewise") }

    /// Where the secrets are. A secret itself is never an argument.
    static let credentials: [Option] = [
        Option("token-file", .file, "a file with a token that only its owner can read"),
        Option(
            "token-command",
            .text("COMMAND"),
            "a program that prints a token within 10 s; it runs without a shell, quotes group "
                + "words; it runs again when the server rejects the token"
        ),
        Option("client-certificate", .file, "the client's certificate for mutual TLS, in PEM"),
        Option("client-key", .file, "its private key, in PEM, unless the same file contains it"),
    ]

    private static let shared: [Option] = [
        Option("cache-dir", .absoluteDirectory, "for offline use ($XDG_CACHE_HOME/novablend)"),
        Option(
            "state-dir",
            .absoluteDirectory,
            "for pending bookings ($XDG_STATE_HOME/novablend)"
        ),
        Option("ca-file", .file, "trusted certificates, in PEM, in place of the system's"),
        Option("ca-directory", .absoluteDirectory, "likewise, prepared by openssl rehash"),
        Option(
            "proxy",
            .url(
                schemes: ["http", "https", "socks5", "socks5h"],
                example: "http://proxy.example:3128",
                or: "environment"
            ),
            "the proxy for all requests; environment means the one in https_proxy"
        ),
        Option(
            "soft-deadline",
            .seconds(upTo: 3_600),
            "how long to wait for a server before a fresh cached list is used; 0 means no limit (2)"
        ),
        Option("read-only", "reject commands that change something"),
        Option(
            "max-answer",
            .integer(1...(1 << 30), "BYTES"),
            "the longest answer of a server that is accepted (67108864)"
        ),
    ]

    /// The options that only `serve` has.
    static let serving: [Option] = [
        Option("framing", .choice(["auto", "headers", "lines"]), "how messages are separated"),
        Option("trace", .file, "copy both directions to a file, without phones and emails"),
        Option(
            "max-message",
            .integer(1...(1 << 30), "BYTES"),
            "the longest message that is accepted (16777216)"
        ),
    ]
}

extension ValueKind {
    fileprivate static let httpURL = ValueKind.url(example: "https://salons.example")
}
