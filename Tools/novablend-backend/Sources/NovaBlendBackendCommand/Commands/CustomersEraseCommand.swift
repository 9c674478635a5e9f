import BackendKit
import BookingStorage
import CommandLineKit
import Domain

/// The command `customers erase`: deletes everything that is stored about a customer.
enum CustomersEraseCommand {
    private static let dryRun = Option("dry-run", "only show what would be deleted")
    private static let cancel = Option("cancel", "also delete appointments that have not ended")
    private static let yes = Option("yes", "do not ask")

    static let command = Command(
        "customers erase",
        "delete everything that is stored about a customer",
        details: [
            "It shows what it would delete, and the customers with similar numbers, whose data it does "
                + "not touch. Then it asks for confirmation on a terminal. Without a terminal, it "
                + "requires --yes.",
            "Appointments that have not ended are deleted only with --cancel. The tokens of the "
                + "customer are revoked. Backups are not changed.",
            "The data is deleted in short transactions, so a server can run at the same time. Then the "
                + "file of the database and its log are searched, and what remains of the data in unused "
                + "parts of them is overwritten. If the command is interrupted, repeat it. With "
                + "PostgreSQL, unused copies remain until VACUUM.",
            CustomerArgument.details,
        ],
        arguments: [CustomerArgument.argument],
        options: [
            dryRun,
            cancel,
            yes,
        ],
        optionGroups: [DatabaseOption.group],
        examples: [
            .init("novablend-backend customers erase 0049301234567 --dry-run", "preview"),
            .init("novablend-backend customers erase 0049301234567 --cancel", "delete everything"),
        ],
        run: run
    )

    private static func run(
        _ invocation: Invocation,
        _ terminal: Terminal
    ) async throws(CommandError) -> ExitCode {
        let caller = try invocation.required(CustomerArgument.argument)
        let isDryRun = invocation.has(dryRun)
        return try await DatabaseOption.withStore(invocation, isDryRun: isDryRun) { store in
            let report = CustomerReport(
                data: try await store.customerData(of: caller),
                similar: try await store.callersSimilar(to: caller)
            )
            try terminal.print(report.lines(width: terminal.width))
            if isDryRun { return .success }
            if !report.data.isEmpty { try await confirm(invocation, terminal) }
            try await erase(caller, in: store, cancels: invocation.has(cancel))
            terminal.printNote(try outcome(invocation, report.data))
            return .success
        }
    }

    private static func confirm(
        _ invocation: Invocation,
        _ terminal: Terminal
    ) async throws(CommandError) {
        if invocation.has(yes) { return }
        guard terminal.isInteractive else {
            throw CommandError.usage("--yes is required without a terminal", of: invocation)
        }
        guard (try? await terminal.confirm("Delete this?")) == true else {
            throw CommandError(.failure, "not confirmed; nothing was deleted")
        }
    }

    private static func outcome(
        _ invocation: Invocation,
        _ data: CustomerData
    ) throws(CommandError) -> String {
        let stored = data.isEmpty ? "nothing about this number was stored" : "the data was erased"
        if case .server = try DatabaseOption.existingLocation(invocation) {
            return "\(stored); unused copies remain in the files of PostgreSQL until VACUUM"
        }
        return "\(stored), and the file and its log were searched: no copy remains"
    }

    private static func erase(
        _ caller: String,
        in store: any BookingStore,
        cancels: Bool
    ) async throws {
        do {
            _ = try await store.eraseCustomer(caller, cancelsAppointments: cancels)
        } catch {
            guard let count = error.appointmentCount else { throw error }
            throw CommandError(
                .conflict,
                "\(count) appointment\(count == 1 ? " has" : "s have") not ended; cancel "
                    + "\(count == 1 ? "it" : "them"), or use --cancel",
                note: "repeat the command then"
            )
        }
    }
}
