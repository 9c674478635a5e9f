import BackendKit
import BookingStorage
import CommandLineKit
import Contract
import Domain

/// The command `tokens create`: creates a token and prints it, for the only time.
enum TokensCreateCommand {
    private static let role = Option(
        "role",
        .choice(["customer", "staff", "administrator"]),
        isRequired: true,
        "what the owner may do"
    )
    private static let phone = Option("phone", .phone, "the phone number of the customer")
    private static let salon = Option("salon", .salonID, "the id of the salon of the staff")
    private static let name = Option(
        "name",
        .text("TEXT"),
        "a name for people, which tokens list shows"
    )
    private static let expires = Option(
        "expires",
        .instant,
        "when the token expires: the beginning of a day in UTC, or a time"
    )
    private static let days = Option(
        "days",
        .integer(1...Int64(36_500), "N"),
        "expire after N days of 24 hours"
    )
    private static let output = Option("output", .file, "the new file (default: standard output)")

    static let command = Command(
        "tokens create",
        "create a token with which clients of the backend identify themselves",
        details: [
            "It prints the token, or writes it to a file that no other user can read. No one can see it "
                + "again, because the database has only a hash. Its owner names the file in the "
                + "configuration of novablend as token-file.",
            "A customer may see, book, and change the appointments with their phone number, staff "
                + "those of their salon and the salon itself, and an administrator everything.",
            "As soon as a database has a token, requests for anything but salons, free times, and "
                + "other public lists need one. A running server notices that within 5 seconds.",
        ],
        options: [
            role,
            phone,
            salon,
            name,
            expires,
            days,
            output,
            OutputFile.force,
        ],
        optionGroups: [DatabaseOption.group],
        examples: [
            .init(
                "novablend-backend tokens create --role administrator --days 365 "
                    + "--output operator.token",
                "for the first administrator"
            ),
            .init(
                "novablend-backend tokens create --role customer --phone +4930123456",
                "for one customer"
            ),
            .init(
                "novablend-backend tokens create --role staff "
                    + "--salon 5a100000-0000-4000-8000-000000000004",
                "for the front desk of a salon"
            ),
        ],
        run: run
    )

    private static func run(
        _ invocation: Invocation,
        _ terminal: Terminal
    ) async throws(CommandError) -> ExitCode {
        let role = try role(invocation)
        let now = SystemClock().now
        let expiry = try expiry(invocation, now)
        let token = AccessToken()
        let stored = StoredToken(
            id: token.id,
            role: role,
            name: invocation[name],
            hash: token.hash,
            createdAt: now,
            expiresAt: expiry
        )
        let path = invocation[output]
        if let path { try OutputFile.check(path, invocation) }
        try await DatabaseOption.withStore(invocation, creates: true) { store in
            try await OutputFile.write(path, invocation, terminal, isPrivate: true) { write in
                if let id = role.salonID, try await store.salon(id) == nil {
                    throw CommandError(.notFound, "there is no salon \(id)")
                }
                try await store.create(stored)
                try write(Array("\(token.text)\n".utf8))
            }
        }
        terminal.printNote(
            path.map { "The token is in \($0). Its id is \(token.id)." }
                ?? "Store this token now: it is not shown again. Its id is \(token.id)."
        )
        return .success
    }

    private static func role(_ invocation: Invocation) throws(CommandError) -> Principal.Role {
        switch (try invocation.required(role), invocation[phone], invocation[salon]) {
        case ("customer", let phone?, nil): return .customer(phone: phone)
        case ("staff", nil, let salon?): return .staff(of: salon)
        case ("administrator", nil, nil): return .administrator
        default:
            throw CommandError.usage(
                "a customer needs --phone, staff needs --salon, and an administrator neither",
                of: invocation
            )
        }
    }

    /// When the token expires; nil for never.
    private static func expiry(
        _ invocation: Invocation,
        _ now: Timestamp
    ) throws(CommandError) -> Timestamp? {
        let days = invocation[days]
        let instant = invocation[expires]
        if days != nil, instant != nil {
            throw CommandError.usage("--expires and --days exclude each other", of: invocation)
        }
        if let instant, instant <= now {
            throw CommandError.usage("--expires must be in the future", of: invocation)
        }
        return instant ?? days.map { now.advanced(bySeconds: $0 * 86_400) }
    }
}
