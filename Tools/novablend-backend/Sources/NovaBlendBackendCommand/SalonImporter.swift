import BackendKit
import BookingStorage
import CommandLineKit
import Contract
import Domain
import JSON
import NovaBlendSalonFiles

/// Imports the salons of a file, and finds the bookings that no longer fit them.
struct SalonImporter {
    let store: any BookingStore
    let zones: any ZoneSource

    func run(
        _ entries: [SalonFile.Entry],
        _ options: SalonImport.Options
    ) async throws -> SalonImportReport {
        let salons = try await SalonNames(stored: store).withIDs(entries)
        let result = try await store.importSalons(salons, options)
        guard result.undeletable.isEmpty else { throw Self.undeletable(result.undeletable) }
        var report = SalonImportReport(result: result, isDryRun: options.isDryRun)
        for salon in result.replaced { report.conflicts += try await conflicts(of: salon) }
        return report
    }

    /// The active bookings in the future that no longer fit `salon`.
    private func conflicts(of salon: Salon) async throws -> [SalonImportReport.Conflict] {
        let finder = try SalonConflicts(of: salon, zones: zones)
        let stored = StoredConflicts(store: store, salon: salon.id, now: SystemClock().now)
        var conflicts: [SalonImportReport.Conflict] = []
        var position: StoredConflicts.Position?
        repeat {
            let part = try await stored.find(finder, after: position)
            conflicts += part.found.map { .init(salon: salon, found: $0.conflict) }
            position = part.next
        } while position != nil
        return conflicts.sorted { $0.found.localTime < $1.found.localTime }
    }

    private static func undeletable(_ salons: [Salon]) -> CommandError {
        let names = salons.map { "\($0.name) (\($0.id))" }
        return CommandError(
            .conflict,
            "salons with bookings in the future cannot be deleted: "
                + names.joined(separator: ", "),
            note: "nothing was changed"
        )
    }
}

/// What an import has changed, or would change.
struct SalonImportReport {
    /// A booking that no longer fits its salon.
    struct Conflict {
        var salon: Salon
        var found: SalonConflict
    }

    var result: SalonImport
    var isDryRun: Bool
    var conflicts: [Conflict] = []

    /// A table of the salons, a table of the conflicts if there are any, and a summary.
    func lines(width: Int?) -> [String] {
        var lines = salons.lines(width: width)
        if !conflicts.isEmpty {
            lines.append("")
            lines += bookings.lines(width: width)
            let count = conflicts.count
            lines.append(
                "\(count) booking\(count == 1 ? "" : "s") no longer fit\(count == 1 ? "s" : "") and "
                    + "\(isDryRun ? "would be" : (count == 1 ? "was" : "were")) retained"
            )
        }
        return lines + [summary]
    }

    private var groups: [(state: String, salons: [Salon])] {
        [
            ("created", result.created), ("changed", result.replaced),
            ("unchanged", result.unchanged), ("deleted", result.deleted),
        ]
    }

    private var salons: TextTable {
        var table = TextTable([.init("STATE"), .init("SALON", isFlexible: true), .init("ID")])
        for (state, salons) in groups {
            for salon in salons { table.add([state, salon.name, salon.id.description]) }
        }
        return table
    }

    private var bookings: TextTable {
        var table = TextTable([
            .init("TIME"), .init("NEW LOCAL TIME"), .init("SALON", isFlexible: true),
            .init("BOOKING"), .init("REASON"),
        ])
        for conflict in conflicts {
            let found = conflict.found
            table.add([
                ISO8601.format(found.appointment.booking.time),
                found.newLocalTime.map(ISO8601.format), conflict.salon.name,
                found.appointment.id, found.reasons.map(\.text).joined(separator: ", "),
            ])
        }
        return table
    }

    private var summary: String {
        let counts = groups.map { "\($0.salons.count) \($0.state)" }.joined(separator: ", ")
        return isDryRun ? "\(counts) (dry run: nothing was changed)" : counts
    }
}
