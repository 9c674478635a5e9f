import BookingStorage
import CommandLineKit
import Contract
import Domain
import JSON
import NovaBlendSalonFiles

/// The command `salons export`: writes all salons as JSON or CSV, page by page.
enum SalonsExportCommand {
    private static let file = Argument(
        "FILE",
        .file,
        isRequired: false,
        "the new file; - for standard output"
    )
    private static let isCSV = Option("csv", "write CSV instead of JSON")

    static let command = Command(
        "salons export",
        "write all salons as JSON or CSV",
        details: [
            "It writes to FILE, or to standard output. An import of the result changes nothing. The "
                + "audit log gets an entry."
        ],
        arguments: [
            file
        ],
        options: [isCSV, OutputFile.force],
        optionGroups: [DatabaseOption.group],
        examples: [
            .init("novablend-backend salons export --csv salons.csv", "for a spreadsheet")
        ],
        run: run
    )

    private static func run(
        _ invocation: Invocation,
        _ terminal: Terminal
    ) async throws(CommandError) -> ExitCode {
        let path = invocation[file].flatMap { $0 == "-" ? nil : $0 }
        if let path { try OutputFile.check(path, invocation) }
        return try await DatabaseOption.withStore(invocation) { store in
            try await OutputFile.write(path, invocation, terminal) { write in
                do {
                    try await store.record([AuditedChange(.export, .salon)], by: .command)
                } catch {
                    // Salons are public, so they are exported even if nothing can be written.
                    terminal.printNote("the audit log has no entry for this export: \(error)")
                }
                try await export(store, isCSV: invocation.has(isCSV), to: write)
            }
            return .success
        }
    }

    private static func export(
        _ store: any BookingStore,
        isCSV: Bool,
        to write: ([UInt8]) throws(CommandError) -> Void
    ) async throws {
        try write(isCSV ? SalonCSVWriter.header : Array("{\"\(SalonListCodec.key)\":[".utf8))
        var isFirst = true
        try await store.forEachPageOfSalons { page in
            try write(try encode(page, isCSV, isFirst: isFirst))
            isFirst = false
        }
        if !isCSV { try write(Array("\n]}\n".utf8)) }
    }

    /// Encodes one salon per line, so that two exports can be compared by lines.
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
                do {
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

extension BookingStore {
    /// Calls `body` with all salons, ordered by id.
    func forEachPageOfSalons(_ body: ([Salon]) throws -> Void) async throws {
        let size = 1_000
        var page: [Salon] = []
        repeat {
            page = try await salons(after: page.last?.id, limit: size)
            try body(page)
        } while page.count == size
    }
}
