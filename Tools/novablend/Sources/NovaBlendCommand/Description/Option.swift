import NovaBlendKit

/// A value, or a switch, that is told by its name.
struct Option: Sendable {
    var name: String
    /// What value it takes; nil for a switch.
    var kind: ValueKind?
    /// Whether the value may be left out; then it is given as `--name=VALUE` alone.
    var isValueOptional = false
    /// Whether the command does nothing without it.
    var isRequired = false
    /// The parameter of the method that it becomes; nil where the command does something else.
    var parameter: String?
    var summary: String

    /// A switch.
    init(_ name: String, parameter: String? = nil, _ summary: String) {
        self.name = name
        self.parameter = parameter
        self.summary = summary
    }

    init(
        _ name: String,
        _ kind: ValueKind,
        isValueOptional: Bool = false,
        isRequired: Bool = false,
        parameter: String? = nil,
        _ summary: String
    ) {
        self.name = name
        self.kind = kind
        self.isValueOptional = isValueOptional
        self.isRequired = isRequired
        self.parameter = parameter
        self.summary = summary
    }

    /// `--limit N`
    var spelling: String {
        guard let kind else { return "--\(name)" }
        return isValueOptional ? "--\(name)[=\(kind.placeholder)]" : "--\(name) \(kind.placeholder)"
    }

    var usage: String { isRequired ? spelling : "[\(spelling)]" }
}

extension Option {
    static let help = Option("help", "show this help")
    static let json = Option("json", "print the result as the JSON of one line, for scripts")

    /// Where the remote and what is kept are. Each is a key of the configuration file too.
    static let connection: [Option] =
        configurable.filter { !serving.map(\.name).contains($0.name) } + [
            Option("config", .file, "the configuration file; else the usual one")
        ]

    /// Those that `serve` alone has.
    static let serving: [Option] = [
        Option("framing", .choice(["auto", "headers", "lines"]), "how messages are told apart"),
        Option("trace", .file, "mirror both directions, without phones and emails"),
        Option(
            "max-message",
            .integer(1...(1 << 30), "BYTES"),
            "the longest message that is read (16777216)"
        ),
    ]

    /// Those that may stand in the configuration file.
    static let configurable: [Option] =
        [
            Option(
                "base-url",
                .url,
                "the remote; its paths are /salons, /appointments, /salons/{id}/availability, "
                    + ListedResource.all.map { "/" + $0.name }.joined(separator: ", ")
            ),
            Option(
                "sandbox",
                "a remote of its own on loopback, with sample salons, that is gone afterwards"
            ),
            Option("salons-url", .url, "one address alone, also beside --base-url"),
            Option("appointments-url", .url, "likewise"),
            Option("availability-url", .url, "likewise, with {id} in the salon's place"),
        ] + ListedResource.all.map { Option("\($0.name)-url", .url, "likewise") } + [
            Option("cache-dir", .directory, "for offline use ($XDG_CACHE_HOME/novablend)"),
            Option("state-dir", .directory, "for bookings under way ($XDG_STATE_HOME/novablend)"),
            Option("ca-file", .file, "certificates to trust, in PEM"),
            Option("read-only", "refuse what changes something"),
            Option(
                "max-answer",
                .integer(1...(1 << 30), "BYTES"),
                "the longest answer of a remote that is taken (67108864)"
            ),
        ] + serving
}
