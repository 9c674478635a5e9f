import BookingStorage
import Domain

extension WriteTransaction {
    func put(
        _ salon: Salon,
        if condition: SalonCondition,
        by principal: Principal
    ) throws -> SalonUpdate {
        let (_, row, now) = try connection.run(
            begin,
            SalonRows.lock(salon.id),
            DatabaseClock.now(clock)
        )
        guard condition.isMet(by: row?.salon?.version) else {
            throw StoreError.salonConditionFailed(row?.salon)
        }
        let stored = try write(salon, over: row)
        let isNew = row?.salon == nil
        let change = AuditedChange(isNew ? .create : .replace, stored)
        _ = try connection.run(AuditRows.insert(change, by: principal, at: now))
        return isNew ? .created(stored) : .replaced(stored)
    }

    func deleteSalon(
        _ id: SalonID,
        if condition: SalonCondition,
        by principal: Principal
    ) throws {
        let (_, row, now) = try connection.run(
            begin,
            SalonRows.lock(id),
            DatabaseClock.now(clock)
        )
        guard let salon = row?.salon else { throw StoreError.salonNotFound(id) }
        guard condition.isMet(by: salon.version) else {
            throw StoreError.salonConditionFailed(salon)
        }
        // No transaction can book now, because the salon is locked.
        if try connection.run(BusyRows.hasAppointments(of: id, after: now)) {
            throw StoreError.salonHasBookings
        }
        _ = try connection.run(
            SalonRows.delete(id),
            AuditRows.insert(AuditedChange(deletionOf: id), by: principal, at: now)
        )
        hasChanges = true
    }

    private func write(_ salon: Salon, over row: SalonRows.Row?) throws -> Salon {
        let (stored, query) = SalonRows.write(salon, over: row)
        try require(try connection.run(query), 1)
        hasChanges = true
        return stored
    }

    // MARK: Import

    private static let pageSize = 1_000

    /// Creates or replaces salons, and deletes others if the options say so. Nothing is to be
    /// committed if it is a dry run, or if a salon cannot be deleted.
    func importSalons(
        _ imported: [Salon],
        _ options: SalonImport.Options
    ) throws -> SalonImport {
        let (_, _, now) = try connection.run(begin, SalonRows.lockAll, DatabaseClock.now(clock))
        var result = SalonImport()
        let rest = Dictionary(imported.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
        var seen: Set<SalonID> = []
        for id in imported.map(\.id) where seen.insert(id).inserted {
            if let salon = rest[id] { try importSalon(salon, now, &result) }
        }
        if options.deletesOthers { try deleteSalons(except: seen, now, &result) }
        hasChanges = hasChanges && !options.isDryRun && result.undeletable.isEmpty
        return result
    }

    private func importSalon(
        _ salon: Salon,
        _ now: Timestamp,
        _ result: inout SalonImport
    ) throws {
        let row = try connection.run(SalonRows.lock(salon.id))
        var salon = salon
        salon.version = row?.version
        if row?.salon == salon {
            result.unchanged.append(salon)
        } else if row?.salon == nil {
            let stored = try write(salon, over: row)
            try recordCommand(AuditedChange(.create, stored), at: now)
            result.created.append(stored)
        } else {
            let stored = try write(salon, over: row)
            try recordCommand(AuditedChange(.replace, stored), at: now)
            result.replaced.append(stored)
        }
    }

    private func deleteSalons(
        except retained: Set<SalonID>,
        _ now: Timestamp,
        _ result: inout SalonImport
    ) throws {
        var page: [Salon] = []
        repeat {
            page = try connection.run(
                SalonRows.page(after: page.last?.id, limit: Self.pageSize, nil)
            )
            for salon in page where !retained.contains(salon.id) {
                let (_, isBooked) = try connection.run(
                    SalonRows.lock(salon.id),
                    BusyRows.hasAppointments(of: salon.id, after: now)
                )
                if isBooked {
                    result.undeletable.append(salon)
                } else {
                    _ = try connection.run(SalonRows.delete(salon.id))
                    try recordCommand(AuditedChange(deletionOf: salon.id), at: now)
                    hasChanges = true
                    result.deleted.append(salon)
                }
            }
        } while page.count == Self.pageSize
    }
}
