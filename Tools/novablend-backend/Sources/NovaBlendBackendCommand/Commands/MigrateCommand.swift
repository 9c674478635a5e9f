import BackendKit
import BookingStorage
import CommandLineKit
import SQLiteStorage

/// The command `migrate`: brings the tables of the database up to date.
enum MigrateCommand {
    static let command = Command(
        "migrate",
        "bring the tables of the database up to date",
        details: [
            "It lists the migrations and applies each in its own transaction. Every command that "
                + "opens the database does the same, except backup and dry runs. A database of a "
                + "newer version of the program is rejected."
        ],
        options: [Option("dry-run", "only show what would change")],
        optionGroups: [DatabaseOption.group],
        examples: [.init("novablend-backend migrate --dry-run", "before the first start")],
        run: { invocation, terminal throws(CommandError) in
            let path = try DatabaseOption.existingPath(invocation)
            let isDryRun = invocation.has("dry-run")
            let migrations = try DatabaseOption.using(path) { () throws(StorageFailure) in
                try isDryRun
                    ? SQLiteBookingStore.pendingMigrations(of: path)
                    : SQLiteBookingStore.migrate(path, newSalons: SampleSalons.all)
            }
            let lines = migrations.map { "\($0.number)  \($0.summary)" }
            try terminal.print(lines.isEmpty ? ["the tables are up to date"] : lines)
            return .success
        }
    )
}
