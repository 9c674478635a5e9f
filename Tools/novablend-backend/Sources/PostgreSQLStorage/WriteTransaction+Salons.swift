import BookingStorage
import Domain

extension WriteTransaction {
    func put(
        _ salon: Salon,
        if condition: SalonCondition,
        keepingWallClockBy schedule: Schedule?,
        by principal: Principal
    ) throws -> SalonUpdate {
        try beginChange(of: [salon.id])
        let (row, now) = try connection.run(lock(salon.id), DatabaseClock.now(clock))
        guard condition.isMet(by: row?.salon?.version) else {
            throw StoreError.salonConditionFailed(row?.salon)
        }
        let stored = try write(salon, over: row)
        let isNew = row?.salon == nil
        let change = AuditedChange(isNew ? .create : .replace, stored)
        _ = try connection.run(AuditRows.insert(change, by: principal, at: now))
        if isNew { return .created(stored) }
        let moved = try schedule.map { try keepWallClock(of: salon.id, by: $0, now, principal) }
        return .replaced(stored, moved: moved ?? 0)
    }

    func deleteSalon(
        _ id: SalonID,
        if condition: SalonCondition,
        by principal: Principal
    ) throws {
        try beginChange(of: [id])
        let (row, now) = try connection.run(lock(id), DatabaseClock.now(clock))
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

    /// Begins a transaction that changes salons; all if `ids` is nil.
    ///
    /// If someone uses a salon, it is repeated, and lets the next ones wait for it. Without that, there
    /// could always be new ones.
    private func beginChange(of ids: [SalonID]?) throws {
        guard isRepeated else { return try connection.run(begin) }
        _ = try connection.run(
            begin,
            Query<Void>(running: Self.withoutSync),
            SalonRows.announceChange(of: ids, now: clock),
            Query<Void>(running: .commit),
            begin
        )
    }

    private func lock(_ id: SalonID) -> Query<SalonRows.Row?> {
        SalonRows.lock(id, waits: isRepeated)
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
        try beginChange(of: options.deletesOthers ? nil : imported.map(\.id))
        let (_, now) = try connection.run(SalonRows.lockAll, DatabaseClock.now(clock))
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
        // Nothing else changes salons now. So the row is locked only for a change.
        let row = try connection.run(SalonRows.read(salon.id, nil))
        var salon = salon
        salon.version = row?.version
        if row?.salon == salon {
            result.unchanged.append(salon)
            return
        }
        _ = try connection.run(lock(salon.id))
        if row?.salon == nil {
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
                    lock(salon.id),
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
