import BookingStorage
import CommandLineKit
import Domain
import NovaBlendSalonFiles
import Zones

/// The command `salons import`: creates or replaces the salons of a file, all or none.
enum SalonsImportCommand {
    private static let dryRun = Option("dry-run", "show what would change, and change nothing")
    private static let deleteMissing = Option(
        "delete-missing",
        "delete the salons that are not in the file; if one has future bookings, change nothing"
    )

    static let command = Command(
        "salons import",
        "create or replace all salons of a file",
        details: [
            "All salons are stored in one transaction, or none if there is an error. A salon "
                + "without an id replaces the one with its name, or gets a new id. A running server "
                + "applies the new rules from the next request on.",
            "Future bookings that no longer fit their salon are retained and listed.",
            SalonsCheckCommand.fileDetails,
        ],
        arguments: [SalonsCheckCommand.fileArgument],
        options: [
            dryRun,
            deleteMissing,
        ],
        optionGroups: [DatabaseOption.group],
        examples: [
            .init("novablend-backend salons import salons.csv --dry-run", "see what would change"),
            .init("novablend-backend salons import - --delete-missing", "replace all salons"),
        ],
        run: { invocation, terminal throws(CommandError) in
            let path = try invocation.required(SalonsCheckCommand.fileArgument)
            let bytes = try InputFile.read(path, terminal)
            let zones = ZoneDirectory()
            let file = SalonFile(bytes, zones: zones)
            for problem in file.problems { terminal.printNote(problem.description) }
            guard file.isValid else {
                throw CommandError(
                    .invalidData,
                    "the file has errors",
                    note: "nothing was changed"
                )
            }
            var options = SalonImport.Options()
            options.deletesOthers = invocation.has(deleteMissing)
            options.isDryRun = invocation.has(dryRun)
            let report = try await DatabaseOption.withStore(
                invocation,
                creates: true,
                isDryRun: options.isDryRun
            ) { store in
                try await SalonImporter(store: store, zones: zones).run(file.entries, options)
            }
            try terminal.print(report.lines(width: terminal.width))
            return .success
        }
    )
}
