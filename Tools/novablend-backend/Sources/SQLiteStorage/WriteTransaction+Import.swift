import BookingStorage
import Domain

/// Rolls back an import, and has the result that it would have had.
struct SalonImportPreview: Error {
    let result: SalonImport
}

extension WriteTransaction: SalonImporter {
    /// Creates or replaces salons, and deletes others if the options say so. Throws a preview
    /// instead of changing anything if it is a dry run, or if a salon cannot be deleted.
    func importSalons(
        _ imported: [Salon],
        _ options: SalonImport.Options
    ) throws -> SalonImport {
        let result = try run(imported, options)
        if result.isPreview(options) { throw SalonImportPreview(result: result) }
        return result
    }

    func row(of id: SalonID) throws -> SalonRow? { try SalonRows.read(id, in: database, salons) }

    func salons(after id: SalonID?, limit: Int) throws -> [Salon] {
        try SalonRows.page(after: id, limit: limit, in: database, salons)
    }

    func hasAppointments(of id: SalonID) throws -> Bool {
        try BusyRows.hasAppointments(of: id, after: now, in: database)
    }

    func write(_ salon: Salon, over row: SalonRow?) throws -> Salon {
        try SalonRows.write(salon, over: row, in: database)
    }

    func delete(_ id: SalonID) throws { try SalonRows.delete(id, in: database) }

    func record(_ change: AuditedChange) throws { try recordCommand(change) }
}
