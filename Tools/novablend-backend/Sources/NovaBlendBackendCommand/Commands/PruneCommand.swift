import BackendKit
import BookingStorage
import CommandLineKit
import Domain

/// The command `prune`: deletes appointments that ended before a date.
enum PruneCommand {
    private static let before = Option(
        "before",
        .instant,
        isRequired: true,
        "delete what ended before this date"
    )
    private static let dryRun = Option("dry-run", "only show what would be deleted")

    static let command = Command(
        "prune",
        "delete appointments that ended before a date, and other data that has expired",
        details: [
            "It also deletes ended holds, expired idempotency keys, what remains of appointments "
                + "that were deleted more than 30 days ago, and audit entries of more than a year "
                + "ago. A server can run at the same time, and bookings wait only for a moment. The "
                + "option --retain-days of serve does the same once a day."
        ],
        options: [
            before,
            dryRun,
        ],
        optionGroups: [DatabaseOption.group],
        examples: [
            .init(
                "novablend-backend prune --before 2024-01-01 --dry-run",
                "see what would be deleted"
            ),
            .init("novablend-backend prune --before 2024-01-01", "keep what ended later"),
        ],
        run: run
    )

    private static func run(
        _ invocation: Invocation,
        _ terminal: Terminal
    ) async throws(CommandError) -> ExitCode {
        let end = try invocation.required(before)
        guard end <= SystemClock().now else {
            throw CommandError.usage("--before must be in the past", of: invocation)
        }
        let isDryRun = invocation.has(dryRun)
        let outcome = try await DatabaseOption.withStore(invocation, isDryRun: isDryRun) {
            let pruner = Pruner($0)
            return try await isDryRun ? pruner.preview(before: end) : pruner.prune(before: end)
        }
        try terminal.print(lines(outcome, isDryRun))
        return .success
    }

    private static func lines(_ outcome: Pruner.Outcome, _ isDryRun: Bool) -> [String] {
        let counts = [
            (outcome.appointments, "appointments"), (outcome.expired.holds, "holds"),
            (outcome.expired.keys, "idempotency keys"),
            (outcome.expired.deletedAppointments, "marks of deleted appointments"),
            (outcome.expired.auditEntries, "audit entries"),
        ]
        let verb = isDryRun ? "would delete" : "deleted"
        return counts.map { "\(verb) \($0.0) \($0.1)" }
    }
}
