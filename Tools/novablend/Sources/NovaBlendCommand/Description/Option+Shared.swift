/// Options that several commands have.
extension Option {
    static let limit = Option(
        "limit",
        .integer(1...Int.max),
        parameter: "limit",
        "the most to list"
    )
    static let cursor = Option(
        "cursor",
        .text("CURSOR"),
        parameter: "cursor",
        "go on where a list was cut, by its nextCursor"
    )
    static let policy = Option(
        "policy",
        .choice(["remoteFirst", "cacheOnly", "cacheFirst", "staleWhileRevalidate"], "POLICY"),
        parameter: "policy",
        "whom to ask: the remote, then what is kept (the default); only what is kept; what is "
            + "kept if it is fresh, else the remote; what is kept, whatever its age"
    )
    static let key = Option(
        "key",
        .text("KEY"),
        parameter: "idempotencyKey",
        "with the same key it is done once, however often it is asked for"
    )
    static let dryRun = Option(
        "dry-run",
        parameter: "dryRun",
        "say what would happen, and change nothing"
    )
    static let version = Option(
        "version",
        .integer(0...Int.max),
        parameter: "version",
        "only if the appointment still has this version"
    )
    static let yes = Option("yes", "do not ask; needed where nobody can be asked")
}
