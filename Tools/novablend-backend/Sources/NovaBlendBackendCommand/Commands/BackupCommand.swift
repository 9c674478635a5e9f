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
                + "checked, and on the disk. Only this user can read it.",
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
            do throws(StorageFailure) {
                try SQLiteBookingStore.backUp(database, to: path)
            } catch {
                throw failure(error, database)
            }
            return .success
        }
    )

    private static func failure(_ failure: StorageFailure, _ database: String) -> CommandError {
        var error = CommandError(failure, "the database \(database) cannot be copied")
        if error.exitCode == .inputOutput { error.exitCode = .notWritten }
        return error
    }
}
