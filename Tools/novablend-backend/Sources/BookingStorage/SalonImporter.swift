package import Domain

/// The transaction of an import of salons.
package protocol SalonImporter {
    func row(of id: SalonID) throws -> SalonRow?
    /// Salons after one, by their ids.
    func salons(after id: SalonID?, limit: Int) throws -> [Salon]
    /// Whether an active appointment of the salon starts in the future.
    func hasAppointments(of id: SalonID) throws -> Bool

    /// Stores a salon over its row, and returns it with its version.
    func write(_ salon: Salon, over row: SalonRow?) throws -> Salon
    func delete(_ id: SalonID) throws
    /// Adds a change to the audit log.
    func record(_ change: AuditedChange) throws
}

extension SalonImporter {
    /// Creates or replaces salons, and deletes others if the options say so. If it is a dry run, or
    /// if a salon cannot be deleted, the changes must be rolled back.
    package func run(
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
        return result
    }

    private func importSalon(_ salon: Salon, _ result: inout SalonImport) throws {
        let row = try row(of: salon.id)
        var salon = salon
        salon.version = row?.version
        if row?.salon == salon {
            result.unchanged.append(salon)
            return
        }
        let stored = try write(salon, over: row)
        let isNew = row?.salon == nil
        try record(AuditedChange(isNew ? .create : .replace, stored))
        if isNew { result.created.append(stored) } else { result.replaced.append(stored) }
    }

    private func deleteSalons(
        except retained: Set<SalonID>,
        _ result: inout SalonImport
    ) throws {
        let pageSize = 1_000
        var page: [Salon] = []
        repeat {
            page = try salons(after: page.last?.id, limit: pageSize)
            for salon in page where !retained.contains(salon.id) {
                if try hasAppointments(of: salon.id) {
                    result.undeletable.append(salon)
                } else {
                    try delete(salon.id)
                    try record(AuditedChange(deletionOf: salon.id))
                    result.deleted.append(salon)
                }
            }
        } while page.count == pageSize
    }
}

extension SalonImport {
    /// Whether its changes must be rolled back.
    package func isPreview(_ options: Options) -> Bool { options.isDryRun || !undeletable.isEmpty }
}
