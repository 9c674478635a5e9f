import BookingStorage
import CommandLineKit

/// The command `customers export`: writes everything that is stored about a customer.
enum CustomersExportCommand {
    static let command = Command(
        "customers export",
        "write everything that is stored about a customer as JSON",
        details: [
            "It writes the appointments, holds, and tokens of the customer, and the results that are "
                + "stored with idempotency keys.",
            CustomerArgument.details,
        ],
        arguments: [CustomerArgument.argument],
        options: [
            Option("output", .file, "the new file (default: standard output)"),
            OutputFile.force,
        ],
        optionGroups: [DatabaseOption.group],
        examples: [
            .init("novablend-backend customers export 0049301234567 --output ada.json", "a copy")
        ],
        run: { invocation, terminal throws(CommandError) in
            let caller = CustomerArgument.caller(invocation)
            let store = try DatabaseOption.existingStore(invocation)
            defer { store.close() }
            let data: CustomerData
            do throws(StoreError) {
                data = try await store.customerData(of: caller)
            } catch {
                throw CommandError(error)
            }
            let bytes = CustomerExport.encode(data, of: caller)
            guard let path = invocation.option("output") else {
                try terminal.write(bytes)
                return .success
            }
            let overwrites = invocation.has(OutputFile.force.name)
            try await OutputFile.write(path, overwrites: overwrites, isPrivate: true) {
                write throws(CommandError) in
                try write(bytes)
            }
            return .success
        }
    )
}
