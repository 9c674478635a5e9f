import BackendKit
import BookingStorage
import CommandLineKit
import SQLiteStorage

/// The command `backup`: copies the database while it is in use.
enum BackupCommand {
    private static let file = Argument("FILE", .file, "the new file")

    static let command = Command(
        "backup",
        "copy the database, even while a server uses it",
        details: [
            "The copy is the database as it is at one moment. FILE appears when it is complete, "
                + "checked, and on the disk. Only this user can read it. The audit log gets an entry.",
            "To copy a PostgreSQL database, use pg_dump.",
        ],
        arguments: [file],
        options: [OutputFile.force],
        optionGroups: [DatabaseOption.group],
        examples: [
            .init("novablend-backend backup backup.sqlite", "copy the default database"),
            .init("novablend-backend backup backup.sqlite --force", "replace an earlier copy"),
        ],
        run: { invocation, terminal throws(CommandError) in
            guard case .file(let database) = try DatabaseOption.existingLocation(invocation)
            else {
                throw CommandError.usage(
                    "only a database in a file can be copied; use pg_dump for PostgreSQL",
                    of: invocation
                )
            }
            let path = try invocation.required(file)
            try OutputFile.check(path, invocation)
            let unrecorded = record(database)
            do throws(StorageFailure) {
                try SQLiteBookingStore.backUp(database, to: path)
            } catch {
                throw failure(error, database)
            }
            if let unrecorded {
                terminal.printNote("the audit log has no entry for this backup: \(unrecorded)")
            }
            return .success
        }
    )

    /// Adds an entry to the audit log, so that the copy has it, too. Returns why that failed: a backup is
    /// needed above all when the database cannot be changed.
    private static func record(_ database: String) -> StorageFailure? {
        do throws(StorageFailure) {
            try SQLiteBookingStore.recordBackup(of: database, at: SystemClock().now)
            return nil
        } catch {
            return error
        }
    }

    private static func failure(_ failure: StorageFailure, _ database: String) -> CommandError {
        var error = CommandError(failure, "the database \(database) cannot be copied")
        if error.exitCode == .inputOutput { error.exitCode = .notWritten }
        return error
    }
}
