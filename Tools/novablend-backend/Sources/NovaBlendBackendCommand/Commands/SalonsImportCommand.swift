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
    private static let yes = Option("yes", "with --delete-missing, do not ask")

    static let command = Command(
        "salons import",
        "create or replace all salons of a file",
        details: [
            "All salons are stored in one transaction, or none if there is an error. A salon "
                + "without an id replaces the one with its name, or gets a new id. A running server "
                + "applies the new rules from the next request on.",
            "Future bookings that no longer fit their salon are retained and listed.",
            "Before --delete-missing deletes salons, it names them and asks for confirmation on a "
                + "terminal. Without a terminal, it requires --yes.",
            SalonsCheckCommand.fileDetails,
        ],
        arguments: [SalonsCheckCommand.fileArgument],
        options: [
            dryRun,
            deleteMissing,
            yes,
        ],
        optionGroups: [DatabaseOption.group],
        examples: [
            .init("novablend-backend salons import salons.csv --dry-run", "see what would change"),
            .init(
                "novablend-backend salons import salons.csv --delete-missing",
                "replace all salons"
            ),
        ],
        run: run
    )

    private static func run(
        _ invocation: Invocation,
        _ terminal: Terminal
    ) async throws(CommandError) -> ExitCode {
        var options = SalonImport.Options()
        options.deletesOthers = invocation.has(deleteMissing)
        options.isDryRun = invocation.has(dryRun)
        let path = try invocation.required(SalonsCheckCommand.fileArgument)
        let asks = options.deletesOthers && !options.isDryRun && !invocation.has(yes)
        // A terminal that was the file cannot answer.
        guard !asks || terminal.isInteractive && path != "-" else {
            throw CommandError.usage(
                "--delete-missing requires --yes without a terminal",
                of: invocation
            )
        }
        let (zones, settings) = (ZoneDirectory(), options)
        let entries = try entries(of: path, zones, terminal)
        let report = try await DatabaseOption.withStore(
            invocation,
            creates: true,
            isDryRun: settings.isDryRun
        ) { store in
            var options = settings
            let importer = SalonImporter(store: store, zones: zones)
            if asks {
                options.deletable = try await confirmDeletion(by: importer, entries, terminal)
            }
            return try await importer.run(entries, options)
        }
        try terminal.print(report.lines(width: terminal.width))
        return .success
    }

    /// The salons of a file. Throws `invalidData` if it has an error.
    private static func entries(
        of path: String,
        _ zones: ZoneDirectory,
        _ terminal: Terminal
    ) throws(CommandError) -> [SalonFile.Entry] {
        let file = SalonFile(
            try InputFile.read(path, terminal),
            zones: zones,
            today: SalonsCheckCommand.today
        )
        for problem in file.problems { terminal.printNote(problem.description) }
        guard file.isValid else {
            throw CommandError(.invalidData, "the file has errors", note: "nothing was changed")
        }
        return file.entries
    }

    /// Names the salons that an import would delete, and asks whether it may. Returns their ids.
    private static func confirmDeletion(
        by importer: SalonImporter,
        _ entries: [SalonFile.Entry],
        _ terminal: Terminal
    ) async throws -> Set<SalonID> {
        var options = SalonImport.Options()
        (options.deletesOthers, options.isDryRun) = (true, true)
        let deleted = try await importer.run(entries, options).result.deleted
        if deleted.isEmpty { return [] }
        for salon in deleted { terminal.printNote("not in the file: \(salon.name) (\(salon.id))") }
        let count = deleted.count
        let question = count == 1 ? "Delete this salon?" : "Delete these \(count) salons?"
        guard (try? await terminal.confirm(question)) == true else {
            throw CommandError(.failure, "not confirmed", note: "nothing was changed")
        }
        return Set(deleted.map(\.id))
    }
}
