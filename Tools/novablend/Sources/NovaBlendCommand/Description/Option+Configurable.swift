import NovaBlendMethods

extension Option {
    /// Which server, which account, and which directories. All but `--config` and `--profile` are
    /// keys of the configuration file, too.
    static let connection: [Option] =
        configurable.filter { !serving.map(\.name).contains($0.name) } + [
            Option(
                "profile",
                .text("NAME"),
                "the section [profile NAME] of the configuration file (NOVABLEND_PROFILE)"
            ),
            Option("config", .file, "the configuration file; else the usual one"),
        ]

    /// Those that may stand in the configuration file.
    static let configurable: [Option] = server + shared

    /// Which server, and how to prove who asks. A named profile does not inherit these: the
    /// credentials of one server are never sent to a different one.
    static let server: [Option] =
        [
            Option(
                "base-url",
                .url,
                "the server; its paths are /salons, /appointments, /salons/{id}/availability, "
                    + ListedResource.all.map { "/" + $0.name }.joined(separator: ", ")
            ),
            Option(
                "sandbox",
                "a server of its own on loopback, with sample salons, that is gone afterwards"
            ),
            Option("salons-url", .url, "one address alone, also beside --base-url"),
            Option("appointments-url", .url, "likewise"),
            Option("availability-url", .url, "likewise, with {id} in the salon's place"),
        ] + ListedResource.all.map { Option("\($0.name)-url", .url, "likewise") } + credentials

    /// Where the secrets are; a secret itself is never an argument.
    static let credentials: [Option] = [
        Option("token-file", .file, "a file with a token that only its owner can read"),
        Option(
            "token-command",
            .text("COMMAND"),
            "a program that prints a token, in 10 s at most; without a shell, quotes keep words "
                + "together; run again when the server rejects the token"
        ),
        Option("client-certificate", .file, "the client's certificate for mutual TLS, in PEM"),
        Option("client-key", .file, "its private key, in PEM, unless the same file has it"),
    ]

    /// What is the same for every server. A named profile inherits these from the top of the file.
    static let shared: [Option] =
        [
            Option("cache-dir", .directory, "for offline use ($XDG_CACHE_HOME/novablend)"),
            Option("state-dir", .directory, "for bookings under way ($XDG_STATE_HOME/novablend)"),
            Option("ca-file", .file, "certificates to trust, in PEM, in place of the system's"),
            Option("ca-directory", .directory, "likewise, as openssl rehash prepares it"),
            Option(
                "proxy",
                .proxy,
                "the proxy for all requests; environment for the one that https_proxy names"
            ),
            Option(
                "soft-deadline",
                .seconds(most: 3_600),
                "after how long a fresh cached list stands in for a slow server; 0 for never (2)"
            ),
            Option("read-only", "refuse what changes something"),
            Option(
                "max-answer",
                .integer(1...(1 << 30), "BYTES"),
                "the longest answer of a server that is accepted (67108864)"
            ),
        ] + serving

    /// Those that `serve` alone has.
    static let serving: [Option] = [
        Option("framing", .choice(["auto", "headers", "lines"]), "how messages are separated"),
        Option("trace", .file, "mirror both directions, without phones and emails"),
        Option(
            "max-message",
            .integer(1...(1 << 30), "BYTES"),
            "the longest message that is read (16777216)"
        ),
    ]
}
