import BookingStorage
import CommandLineKit
import Contract
import Domain
import JSON

/// The command `audit`: shows the audit log.
enum AuditCommand {
    private static let defaultLimit = 100

    private static let since = Option("since", .instant, "only changes from this time on")
    private static let salon = Option("salon", .salonID, "only changes of this salon")
    private static let limit = Option(
        "limit",
        .integer(1...1_000_000),
        "the maximum number of changes (default: \(defaultLimit))"
    )
    private static let isJSON = Option("json", "print each change as a line of JSON")

    static let command = Command(
        "audit",
        "show who has changed, copied, or tried to read what",
        details: [
            "It lists the last changes that were made with a token or by a command, exports and "
                + "backups, and requests that were rejected because of their tokens, in their order. "
                + "Changes of programs that need no token are not recorded. All times are in UTC.",
            "Rejected requests are counted for each address. An entry is written for the first one, and "
                + "after an hour one for the rest. Those of further addresses are counted together.",
        ],
        options: [since, salon, limit, isJSON],
        optionGroups: [DatabaseOption.group],
        examples: [
            .init("novablend-backend audit", "see the last changes"),
            .init("novablend-backend audit --since 2027-01-31 --json", "pass them to a script"),
        ],
        run: run
    )

    private static func run(
        _ invocation: Invocation,
        _ terminal: Terminal
    ) async throws(CommandError) -> ExitCode {
        let entries = try await DatabaseOption.withStore(invocation) { store in
            try await store.auditEntries(
                since: invocation[since],
                of: invocation[salon],
                limit: invocation[limit] ?? defaultLimit
            )
        }
        if invocation.has(isJSON) {
            try terminal.print(entries.map(json))
        } else {
            try terminal.print(
                entries.isEmpty ? ["no changes"] : lines(entries, width: terminal.width)
            )
        }
        return .success
    }

    private static func json(_ entry: AuditEntry) -> String {
        ObjectFragment { writer in
            writer.member("time", ISO8601.formatUTC(entry.time))
            writer.member("role", entry.role.rawValue)
            writer.member("tokenId", entry.tokenID)
            writer.member("action", entry.action.rawValue)
            writer.member("kind", entry.kind.rawValue)
            writer.member("id", entry.id)
            writer.member("salonId", entry.salonID?.description)
            writer.member("version", entry.version)
            writer.member("count", entry.count)
        }.description
    }

    private static func lines(_ entries: [AuditEntry], width: Int?) -> [String] {
        var table = TextTable(
            ["TIME", "ROLE", "TOKEN", "ACTION", "KIND", "VERSION"].map { .init($0) }
                + [.init("COUNT", isOptional: true), .init("ID"), .init("SALON")]
        )
        for entry in entries {
            table.add([
                ISO8601.formatUTC(entry.time), entry.role.rawValue, entry.tokenID,
                entry.action.rawValue, entry.kind.rawValue, entry.version.map { "\($0)" },
                entry.count.map { "\($0)" }, entry.id, entry.salonID?.description,
            ])
        }
        return table.lines(width: width)
    }
}
