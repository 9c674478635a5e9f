import BookingStorage
import CommandLineKit
import Contract
import Domain
import JSON
import NovaBlendSalonFiles

/// The command `salons export`: writes all salons as JSON or CSV, page by page.
enum SalonsExportCommand {
    static let command = Command(
        "salons export",
        "write all salons as JSON or CSV",
        details: [
            "It writes to FILE, or to standard output. An import of the result changes nothing."
        ],
        arguments: [
            Argument("FILE", .file, isRequired: false, "the new file; - for standard output")
        ],
        options: [Option("csv", "write CSV instead of JSON"), OutputFile.force],
        optionGroups: [DatabaseOption.group],
        examples: [
            .init("novablend-backend salons export --csv salons.csv", "for a spreadsheet")
        ],
        run: { invocation, terminal throws(CommandError) in
            let store = try DatabaseOption.existingStore(invocation)
            defer { store.close() }
            let isCSV = invocation.has("csv")
            guard let path = invocation.argument("FILE"), path != "-" else {
                try await export(store, isCSV) { bytes throws(CommandError) in
                    try terminal.write(bytes)
                }
                return .success
            }
            let overwrites = invocation.has(OutputFile.force.name)
            try await OutputFile.write(path, overwrites: overwrites) {
                write async throws(CommandError) in
                try await export(store, isCSV, to: write)
            }
            return .success
        }
    )

    private static let pageSize = 1_000

    private static func export(
        _ store: any BookingStore,
        _ isCSV: Bool,
        to write: ([UInt8]) throws(CommandError) -> Void
    ) async throws(CommandError) {
        try write(isCSV ? SalonCSVWriter.header : Array("{\"\(SalonListCodec.key)\":[".utf8))
        var last: SalonID?
        while true {
            let page: [Salon]
            do {
                page = try await store.salons(after: last, limit: pageSize)
            } catch {
                throw CommandError(error)
            }
            try write(try encode(page, isCSV, isFirst: last == nil))
            guard page.count == pageSize else { break }
            last = page.last?.id
        }
        if !isCSV { try write(Array("\n]}\n".utf8)) }
    }

    /// One salon per line, so that two exports can be compared by lines.
    private static func encode(
        _ page: [Salon],
        _ isCSV: Bool,
        isFirst: Bool
    ) throws(CommandError) -> [UInt8] {
        var bytes: [UInt8] = []
        for (index, salon) in page.enumerated() {
            // A version belongs to a database, not to the salon.
            var salon = salon
            salon.version = nil
            if isCSV {
                do throws(JSONError) {
                    bytes += try SalonCSVWriter.line(salon)
                } catch {
                    throw CommandError(.failure, "the salon \(salon.id): \(error)")
                }
            } else {
                bytes += Array((isFirst && index == 0 ? "\n" : ",\n").utf8)
                bytes += SalonCodec.encode(salon)
            }
        }
        return bytes
    }
}
