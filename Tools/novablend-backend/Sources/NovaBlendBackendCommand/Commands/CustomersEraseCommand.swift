import BookingStorage
import CommandLineKit
import Domain

/// The command `customers erase`: deletes everything that is stored about a customer.
enum CustomersEraseCommand {
    static let command = Command(
        "customers erase",
        "delete everything that is stored about a customer",
        details: [
            "It shows what it would delete, and the customers with similar numbers, whose data it does "
                + "not touch. Then it asks for confirmation on a terminal. Elsewhere it requires "
                + "--yes.",
            "Appointments that have not ended are deleted only with --cancel. The tokens of the "
                + "customer are revoked. Backups are not changed.",
            "A database in a file is rewritten, so that no copy remains in it, and changes wait "
                + "meanwhile. It needs as much free space as the file has.",
            CustomerArgument.details,
        ],
        arguments: [CustomerArgument.argument],
        options: [
            Option("dry-run", "only show what would be deleted"),
            Option("cancel", "also delete appointments that have not ended"),
            Option("yes", "do not ask"),
        ],
        optionGroups: [DatabaseOption.group],
        examples: [
            .init("novablend-backend customers erase 0049301234567 --dry-run", "preview"),
            .init("novablend-backend customers erase 0049301234567 --cancel", "delete everything"),
        ],
        run: { invocation, terminal throws(CommandError) in
            let caller = CustomerArgument.caller(invocation)
            let isDryRun = invocation.has("dry-run")
            _ = try DatabaseOption.existingLocation(invocation)
            let store =
                try isDryRun
                ? DatabaseOption.dryRunStore(invocation) : DatabaseOption.store(invocation)
            defer { store.close() }
            let data = try await show(caller, in: store, terminal)
            if isDryRun { return .success }
            if !data.isEmpty { try await confirm(invocation, terminal) }
            _ = try await perform { () throws(StoreError) in
                try await store.eraseCustomer(
                    caller,
                    cancelsAppointments: invocation.has("cancel")
                )
            }
            terminal.printNote("nothing about this number is stored anymore")
            return .success
        }
    )

    /// Shows what is stored about a customer, and returns it.
    private static func show(
        _ caller: String,
        in store: any BookingStore,
        _ terminal: Terminal
    ) async throws(CommandError) -> CustomerData {
        let report = try await perform { () throws(StoreError) in
            CustomerReport(
                data: try await store.customerData(of: caller),
                similar: try await store.callersSimilar(to: caller)
            )
        }
        try terminal.print(report.lines(width: terminal.width))
        return report.data
    }

    private static func confirm(
        _ invocation: Invocation,
        _ terminal: Terminal
    ) async throws(CommandError) {
        if invocation.has("yes") { return }
        guard terminal.isInteractive else {
            throw CommandError.usage("--yes is required without a terminal", of: invocation)
        }
        guard (try? await terminal.confirm("Delete this?")) == true else {
            throw CommandError(.failure, "not confirmed; nothing was deleted")
        }
    }

    private static func perform<Output>(
        _ body: () async throws(StoreError) -> Output
    ) async throws(CommandError) -> Output {
        do throws(StoreError) {
            return try await body()
        } catch .customerHasAppointments(let count) {
            throw CommandError(
                .conflict,
                "\(count) appointment\(count == 1 ? " has" : "s have") not ended; cancel "
                    + "\(count == 1 ? "it" : "them"), or use --cancel",
                note: "nothing was deleted"
            )
        } catch {
            throw CommandError(error)
        }
    }
}
