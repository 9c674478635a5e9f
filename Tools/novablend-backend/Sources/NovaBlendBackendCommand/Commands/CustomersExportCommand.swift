import BookingStorage
import CommandLineKit

/// The command `customers export`: writes everything that is stored about a customer.
enum CustomersExportCommand {
    private static let output = Option("output", .file, "the new file (default: standard output)")

    static let command = Command(
        "customers export",
        "write everything that is stored about a customer as JSON",
        details: [
            "It writes the appointments, holds, and tokens of the customer, and the results that are "
                + "stored with idempotency keys. The audit log gets an entry without the number.",
            CustomerArgument.details,
        ],
        arguments: [CustomerArgument.argument],
        options: [
            output,
            OutputFile.force,
        ],
        optionGroups: [DatabaseOption.group],
        examples: [
            .init("novablend-backend customers export 0049301234567 --output ada.json", "a copy")
        ],
        run: run
    )

    private static func run(
        _ invocation: Invocation,
        _ terminal: Terminal
    ) async throws(CommandError) -> ExitCode {
        let caller = try invocation.required(CustomerArgument.argument)
        let path = invocation[output]
        if let path { try OutputFile.check(path, invocation) }
        return try await DatabaseOption.withStore(invocation) { store in
            let bytes = CustomerExport.encode(
                try await store.customerData(of: caller),
                of: caller
            )
            try await OutputFile.write(path, invocation, terminal, isPrivate: true) { write in
                try await store.record([AuditedChange(.export, .customer)], by: .command)
                try write(bytes)
            }
            return .success
        }
    }
}
