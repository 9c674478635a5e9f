import BackendKit
import BookingStorage
import CommandLineKit

/// The command `migrate`: brings the tables of the database up to date.
enum MigrateCommand {
    private static let dryRun = Option("dry-run", "only show what would change")

    static let command = Command(
        "migrate",
        "bring the tables of the database up to date",
        details: [
            "It lists the migrations and applies each in its own transaction. Every command that "
                + "opens the database does the same, except backup and dry runs. A database of a "
                + "newer version of the program is rejected."
        ],
        options: [dryRun],
        optionGroups: [DatabaseOption.group],
        examples: [.init("novablend-backend migrate --dry-run", "before starting a new version")],
        run: run
    )

    private static func run(
        _ invocation: Invocation,
        _ terminal: Terminal
    ) throws(CommandError) -> ExitCode {
        let database = try DatabaseOption.existingLocation(invocation)
        let isDryRun = invocation.has(dryRun)
        let migrations = try DatabaseOption.using(
            database,
            isDryRun ? database.pendingMigrations : database.migrate
        )
        let lines = migrations.map { "\($0.number)  \($0.summary)" }
        try terminal.print(lines.isEmpty ? ["the tables are up to date"] : lines)
        return .success
    }
}
