import CommandLineKit

/// One row for each error of the methods.
extension ErrorAdvice {
    static let table = protocolErrors + loading + storage + booking + permission

    private static let unchanged = "nothing was changed"
    private static let doctor = "novablend doctor"
    private static let tryLater = "the same command a little later"

    private static let protocolErrors = [
        ErrorAdvice(
            -32_602,
            .usage,
            "a value is invalid",
            note: unchanged,
            suggestions: ["novablend help COMMAND, which describes each value"]
        ),
        ErrorAdvice(
            -32_601,
            .internalError,
            "this version has no such method",
            note: unchanged,
            suggestions: ["novablend --version"]
        ),
        ErrorAdvice(
            -32_800,
            .interrupted,
            "interrupted",
            note: "a booking that was sent is in the journal",
            suggestions: ["novablend resolve"]
        ),
    ]

    private static let loading = [
        ErrorAdvice(
            1_001,
            .unavailable,
            suggestions: [tryLater, doctor]
        ),
        ErrorAdvice(
            1_004,
            .unavailable,
            suggestions: [tryLater, doctor]
        ),
        ErrorAdvice(
            1_005,
            .notAllowed,
            note: unchanged,
            suggestions: [
                "a valid token: --token-file FILE or --token-command COMMAND", doctor,
            ]
        ),
        ErrorAdvice(
            1_006,
            .notAllowed,
            note: unchanged,
            suggestions: [
                "credentials with more rights, such as those of a different --profile NAME", doctor,
            ]
        ),
        ErrorAdvice(
            1_002,
            .invalidData,
            suggestions: [doctor]
        ),
        ErrorAdvice(
            1_003,
            .serverRejected,
            note: unchanged,
            suggestions: ["what the server suggests, or ask its operator"]
        ),
        ErrorAdvice(
            1_301,
            .configuration,
            "no server is configured for this",
            note: unchanged,
            suggestions: [
                "--base-url URL, or a line base-url = URL in the configuration file", "--sandbox",
            ]
        ),
        ErrorAdvice(1_303, .configuration, note: unchanged, suggestions: [doctor]),
        ErrorAdvice(
            1_211,
            .configuration,
            note: unchanged,
            suggestions: ["apt install tzdata, or set TZDIR to its directory", doctor]
        ),
    ]

    private static let storage = [
        ErrorAdvice(
            1_101,
            .inputOutput,
            "stored data cannot be read",
            suggestions: ["novablend cache validate, which deletes unreadable data", doctor]
        ),
        ErrorAdvice(
            1_102,
            .inputOutput,
            "stored data cannot be deleted",
            suggestions: [doctor]
        ),
        ErrorAdvice(
            1_103,
            .notWritten,
            note: "the server's response was not stored",
            suggestions: [doctor]
        ),
        ErrorAdvice(
            1_104,
            .notWritten,
            note: unchanged,
            suggestions: ["--ical with a different file"]
        ),
        ErrorAdvice(1_105, .notWritten, note: "nothing was sent", suggestions: [doctor]),
        ErrorAdvice(1_106, .inputOutput, suggestions: [doctor]),
    ]

    private static let booking = [
        ErrorAdvice(
            1_201,
            .unavailable,
            note: "nothing is queued: it will not be done later",
            suggestions: ["the same command when there is a connection", doctor]
        ),
        ErrorAdvice(
            1_202,
            .slotRejected,
            "the slot is taken",
            note: unchanged,
            suggestions: ["novablend slots SALON, which shows free slots"]
        ),
        ErrorAdvice(
            1_203,
            .slotRejected,
            note: unchanged,
            suggestions: ["novablend slots SALON --day DAY"]
        ),
        ErrorAdvice(
            1_210,
            .slotRejected,
            note: unchanged,
            suggestions: ["novablend slots SALON --explain TIME, which names the rule"]
        ),
        ErrorAdvice(1_204, .notFound, note: unchanged, suggestions: ["novablend salons"]),
        ErrorAdvice(
            1_205,
            .notFound,
            "no such appointment",
            note: unchanged,
            suggestions: ["novablend appointments"]
        ),
        ErrorAdvice(
            1_206,
            .inDoubt,
            "the outcome is unknown",
            note: "the journal records it under its key; it is not sent again automatically",
            suggestions: [
                "novablend resolve",
                "the same command with --key KEY, which takes effect at most once",
            ]
        ),
        ErrorAdvice(
            1_207,
            .conflict,
            "the key was used for a different request",
            note: unchanged,
            suggestions: ["a different --key, or none"]
        ),
        ErrorAdvice(
            1_208,
            .conflict,
            note: unchanged,
            suggestions: [
                "novablend appointments or novablend salons --json, which shows the current version"
            ]
        ),
        ErrorAdvice(
            1_212,
            .conflict,
            note: unchanged,
            suggestions: ["novablend appointments --salon SALON --start today, and cancel them"]
        ),
        ErrorAdvice(
            1_213,
            .inDoubt,
            "the outcome is unknown",
            note: "it was sent once and is not sent again automatically",
            suggestions: [
                "novablend salons --json, which shows the salon",
                "the same command, which does nothing if it was done",
            ]
        ),
        ErrorAdvice(
            1_214,
            .notFound,
            "no such hold",
            note: unchanged,
            suggestions: ["novablend book, which needs no hold"]
        ),
        ErrorAdvice(
            1_215,
            .unavailable,
            "the server grants no hold now",
            note: unchanged,
            suggestions: ["novablend book, which needs no hold", "the same command later"]
        ),
        ErrorAdvice(
            1_216,
            .serverRejected,
            "the server cannot hold times",
            note: unchanged,
            suggestions: ["novablend book, which needs no hold"]
        ),
        ErrorAdvice(
            1_217,
            .inDoubt,
            "the outcome is unknown",
            note: "a hold ends by itself within minutes",
            suggestions: ["the same command with the same --key"]
        ),
    ]

    private static let permission = [
        ErrorAdvice(
            1_302,
            .notAllowed,
            "read-only is set, and this command changes something",
            note: unchanged,
            suggestions: [
                "the same command without --read-only and without read-only in the configuration file"
            ]
        ),
        ErrorAdvice(
            1_209,
            .notAllowed,
            note: unchanged,
            suggestions: ["the same command with --yes"]
        ),
    ]
}
