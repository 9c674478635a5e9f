extension Command {
    static let cache = Command(
        name: "cache",
        summary: "show, check or clear what is kept for offline use",
        details: [
            "status shows what is kept and changes nothing; validate deletes what has expired or "
                + "cannot be read; clear forgets all of it. Bookings under way stay."
        ],
        arguments: [
            Argument(
                name: "ACTION",
                kind: .choice(["status", "validate", "clear"], "ACTION"),
                summary: "status, if nothing is said",
                isRequired: false
            )
        ],
        ownOptions: [.dryRun],
        examples: [
            Example("novablend cache", "what is kept, and how old it is"),
            Example("novablend cache clear", "forget it"),
        ],
        action: .call(
            MethodCall(
                ["cache/status", "cache/validate", "cache/clear"],
                choose: { "cache/\($0.argument("ACTION") ?? "status")" },
                { _, _, _ throws(CommandFailure) in },
                CacheViews.show
            )
        )
    )

    static let doctor = Command(
        name: "doctor",
        summary: "find out why something does not work",
        details: [
            "Checks the server, its certificate, the credentials, the proxy, directories, "
                + "permissions, the journal of bookings, those of other accounts, the clock and "
                + "the time zones. It ends with 1 when a check fails; a warning is no failure."
        ],
        examples: [
            Example("novablend doctor --base-url https://salons.example", "check all of it"),
            Example("novablend doctor --profile work", "check a profile and its credentials"),
        ],
        action: .doctor
    )

    static let serve = Command(
        name: "serve",
        summary: "serve all of it as JSON-RPC 2.0 and MCP",
        details: [
            "Over standard input and output, one message a line or with Content-Length headers. "
                + "Without a connection lists come from the cache."
        ],
        ownOptions: Option.serving,
        examples: [
            Example(
                #"echo '{"jsonrpc":"2.0","id":1,"method":"salons/list"}' | novablend serve --sandbox"#,
                "one exchange"
            ),
            Example(
                "novablend serve --base-url https://salons.example",
                "for an editor or an agent"
            ),
            Example(
                "novablend serve --base-url https://salons.example --token-file ~/token",
                "for a server that wants a token"
            ),
        ],
        action: .serve
    )

    static let completions = Command(
        name: "completions",
        summary: "print completions for a shell",
        arguments: [
            Argument(
                name: "SHELL",
                kind: .choice(["bash", "zsh", "fish"], "SHELL"),
                summary: "which shell"
            )
        ],
        examples: [
            Example("source <(novablend completions bash)", "in ~/.bashrc"),
            Example(
                "novablend completions fish > ~/.config/fish/completions/novablend.fish",
                "fish"
            ),
        ],
        action: .completions
    )

    static let manual = Command(
        name: "man",
        summary: "print the manual page",
        examples: [Example("novablend man | man -l -", "read it")],
        action: .manual
    )
}
