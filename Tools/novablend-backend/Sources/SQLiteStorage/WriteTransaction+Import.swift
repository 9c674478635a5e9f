import BookingStorage
import Domain

/// Rolls back an import, and has the result that it would have had.
struct SalonImportPreview: Error {
    let result: SalonImport
}

extension WriteTransaction {
    private static let pageSize = 1_000

    /// Creates or replaces salons, and deletes others if the options say so. Throws a preview
    /// instead of changing anything if it is a dry run, or if a salon cannot be deleted.
    func importSalons(
        _ imported: [Salon],
        _ options: SalonImport.Options
    ) throws -> SalonImport {
        var result = SalonImport()
        // First, because reading a salon caches it, and a preview must not leave one in the cache.
        if options.deletesOthers { try deleteSalons(except: Set(imported.map(\.id)), &result) }
        let rest = Dictionary(imported.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
        var seen: Set<SalonID> = []
        for id in imported.map(\.id) where seen.insert(id).inserted {
            if let salon = rest[id] { try importSalon(salon, &result) }
        }
        if options.isDryRun || !result.undeletable.isEmpty {
            throw SalonImportPreview(result: result)
        }
        return result
    }

    private func importSalon(
        _ salon: Salon,
        _ result: inout SalonImport
    ) throws(StorageFailure) {
        let row = try SalonRows.read(salon.id, in: database, salons)
        var salon = salon
        salon.version = row?.version
        if row?.salon == salon {
            result.unchanged.append(salon)
        } else if row?.salon == nil {
            result.created.append(try write(salon, over: row, as: .create))
        } else {
            result.replaced.append(try write(salon, over: row, as: .replace))
        }
    }

    private func write(
        _ salon: Salon,
        over row: SalonRows.Row?,
        as action: AuditEntry.Action
    ) throws(StorageFailure) -> Salon {
        let stored = try write(salon, over: row)
        try recordCommand(AuditedChange(action, stored))
        return stored
    }

    private func deleteSalons(
        except retained: Set<SalonID>,
        _ result: inout SalonImport
    ) throws(StorageFailure) {
        var page: [Salon] = []
        repeat {
            page = try SalonRows.page(
                after: page.last?.id,
                limit: Self.pageSize,
                in: database,
                salons
            )
            for salon in page where !retained.contains(salon.id) {
                if try BusyRows.hasAppointments(of: salon.id, after: now, in: database) {
                    result.undeletable.append(salon)
                } else {
                    try SalonRows.delete(salon.id, in: database)
                    try recordCommand(AuditedChange(deletionOf: salon.id))
                    result.deleted.append(salon)
                }
            }
        } while page.count == Self.pageSize
    }
}
