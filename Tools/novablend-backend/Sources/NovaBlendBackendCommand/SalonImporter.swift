import BackendKit
import BookingStorage
import CommandLineKit
import Domain
import NovaBlendSalonFiles

/// Imports the salons of a file, and finds the bookings that no longer fit them.
struct SalonImporter {
    let store: any BookingStore
    let zones: any ZoneSource

    private static let pageSize = 1_000

    func run(
        _ entries: [SalonFile.Entry],
        _ options: SalonImport.Options
    ) async throws -> SalonImportReport {
        let result = try await store.importSalons(try await withIDs(entries), options)
        guard result.undeletable.isEmpty else { throw Self.undeletable(result.undeletable) }
        var report = SalonImportReport(result: result, isDryRun: options.isDryRun)
        for salon in result.replaced { report.conflicts += try await conflicts(of: salon) }
        return report
    }

    /// The salons of the file. One without an id gets the id of the salon with its name, or a new
    /// one.
    private func withIDs(_ entries: [SalonFile.Entry]) async throws -> [Salon] {
        guard entries.contains(where: { !$0.hasID }) else { return entries.map(\.salon) }
        var ids: [String: [SalonID]] = [:]
        try await store.forEachPageOfSalons { page in
            for salon in page { ids[salon.name, default: []].append(salon.id) }
        }
        return try entries.map { entry in
            guard !entry.hasID else { return entry.salon }
            var salon = entry.salon
            let known = ids[salon.name] ?? []
            guard known.count < 2 else {
                throw CommandError(
                    .invalidData,
                    "\(entry.path) has no id, and \(known.count) salons have its name",
                    note: "nothing was changed"
                )
            }
            salon.id = known.first ?? .random()
            return salon
        }
    }

    /// The active bookings in the future that no longer fit `salon`.
    private func conflicts(of salon: Salon) async throws -> [SalonImportReport.Conflict] {
        let finder = try SalonConflicts(of: salon, zones: zones)
        let now = SystemClock().now
        var conflicts: [SalonImportReport.Conflict] = []
        var page: [StoredAppointment] = []
        repeat {
            page = try await store.activeAppointments(
                of: salon.id,
                startingIn: now..<Timestamp(secondsSince1970: .max),
                after: page.last?.id,
                limit: Self.pageSize
            )
            for stored in page {
                let (appointment, minutes) = (stored.appointment, stored.minutes)
                guard let found = finder.conflict(of: appointment, minutes: minutes, now: now)
                else { continue }
                conflicts.append(SalonImportReport.Conflict(salon: salon, found: found))
            }
        } while page.count == Self.pageSize
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
