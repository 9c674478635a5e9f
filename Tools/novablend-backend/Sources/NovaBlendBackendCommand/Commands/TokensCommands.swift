import BackendKit
import BookingStorage
import CommandLineKit
import Contract
import Domain

/// The command `tokens list`: shows all tokens without their secrets.
enum TokensListCommand {

    static let command = Command(
        "tokens list",
        "list the tokens, without their secrets",
        details: [
            "It lists all tokens in the order of their creation, including expired and revoked "
                + "ones. All times are in UTC."
        ],
        optionGroups: [DatabaseOption.group],
        examples: [.init("novablend-backend tokens list", "see who has access")],
        run: run
    )

    private static func run(
        _ invocation: Invocation,
        _ terminal: Terminal
    ) async throws(CommandError) -> ExitCode {
        let tokens = try await DatabaseOption.withStore(invocation) { try await all(in: $0) }
        let now = SystemClock().now
        var table = TextTable(
            ["ID", "ROLE", "STATE", "FOR"].map { .init($0) }
                + [
                    .init("NAME", isFlexible: true), .init("CREATED"), .init("EXPIRES"),
                    .init("REVOKED"),
                ]
        )
        for token in tokens { table.add(cells(of: token, now)) }
        try terminal.print(tokens.isEmpty ? ["no tokens"] : table.lines(width: terminal.width))
        return .success
    }

    private static let pageSize = 1_000

    private static func all(in store: any TokenStore) async throws(Problem) -> [StoredToken] {
        var tokens: [StoredToken] = []
        while true {
            let page = try await store.tokens(after: tokens.last, limit: pageSize)
            tokens += page
            if page.count < pageSize { return tokens }
        }
    }

    private static func cells(of token: StoredToken, _ now: Timestamp) -> [String?] {
        let state =
            token.isValid(at: now) ? "valid" : token.revokedAt == nil ? "expired" : "revoked"
        return [
            token.id, token.role.name, state, token.role.phone ?? token.role.salonID?.description,
            token.name, ISO8601.formatUTC(token.createdAt),
            token.expiresAt.map(ISO8601.formatUTC), token.revokedAt.map(ISO8601.formatUTC),
        ]
    }
}

/// The command `tokens revoke`: makes a token invalid.
enum TokensRevokeCommand {
    private static let id = Argument("ID", .tokenID, "the id of the token, which tokens list shows")

    static let command = Command(
        "tokens revoke",
        "make a token invalid",
        details: [
            "Running servers reject the token within 5 seconds. It cannot be made valid again."
        ],
        arguments: [id],
        optionGroups: [DatabaseOption.group],
        examples: [.init("novablend-backend tokens revoke 91e3a0c2b45d6f78", "after a theft")],
        run: run
    )

    private static func run(
        _ invocation: Invocation,
        _: Terminal
    ) async throws(CommandError) -> ExitCode {
        let id = try invocation.required(id)
        return try await DatabaseOption.withStore(invocation) { store in
            guard try await store.revokeToken(id, at: SystemClock().now) else {
                throw CommandError(.notFound, "there is no token with this id")
            }
            return .success
        }
    }
}
