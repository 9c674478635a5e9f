/// The table: a row for each error that the methods have.
extension Advice {
    static let all: [Advice] = protocolErrors + loading + storing + booking + permission

    private static let unchanged = "nothing was changed"
    private static let doctor = "novablend doctor"

    private static let protocolErrors = [
        Advice(
            -32_602,
            .usage,
            happened: "a value is wrong",
            kept: unchanged,
            tries: ["novablend help COMMAND, which says what each value is"]
        ),
        Advice(
            -32_601,
            .internalError,
            happened: "this version has no such method",
            kept: unchanged,
            tries: ["novablend --version"]
        ),
        Advice(
            -32_800,
            .interrupted,
            happened: "interrupted",
            kept: "a booking that was sent is in the journal",
            tries: ["novablend resolve"]
        ),
    ]

    private static let loading = [
        Advice(
            1_001,
            .unavailable,
            kept: "what is kept is as it was",
            tries: ["the same a little later", doctor]
        ),
        Advice(
            1_004,
            .unavailable,
            kept: "the cache is as it was",
            tries: ["the same a little later", doctor]
        ),
        Advice(
            1_005,
            .notAllowed,
            kept: unchanged,
            tries: ["a valid token: --token-file FILE or --token-command COMMAND", doctor]
        ),
        Advice(
            1_006,
            .notAllowed,
            kept: unchanged,
            tries: [
                "credentials that may do this, such as those of a different --profile NAME", doctor,
            ]
        ),
        Advice(1_002, .invalidData, kept: "what is kept is as it was", tries: [doctor]),
        Advice(
            1_003,
            .remoteRejected,
            kept: unchanged,
            tries: ["what the remote says, or ask those who run it"]
        ),
        Advice(
            1_301,
            .configuration,
            happened: "no remote is configured for this",
            kept: unchanged,
            tries: [
                "--base-url URL, or a line base-url = URL in the configuration file", "--sandbox",
            ]
        ),
        Advice(
            1_211,
            .configuration,
            kept: unchanged,
            tries: ["apt install tzdata, or name its directory in TZDIR", doctor]
        ),
    ]

    private static let storing = [
        Advice(
            1_101,
            .notRead,
            happened: "what is kept cannot be read",
            kept: "it is left as it is",
            tries: ["novablend cache validate, which deletes what cannot be read", doctor]
        ),
        Advice(
            1_102,
            .notRead,
            happened: "what is kept cannot be deleted",
            kept: "it is left as it is",
            tries: [doctor]
        ),
        Advice(1_103, .notWritten, kept: "nothing was sent", tries: [doctor]),
    ]

    private static let permission = [
        Advice(
            1_302,
            .notAllowed,
            happened: "this changes something, and --read-only forbids it",
            kept: unchanged,
            tries: ["the same without --read-only, also in the configuration file"]
        ),
        Advice(1_209, .notAllowed, kept: unchanged, tries: ["the same with --yes"]),
    ]
}
