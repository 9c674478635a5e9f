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
        _ = try connection.run(record(change, by: principal, at: now))
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
            record(AuditedChange(deletionOf: id), by: principal, at: now)
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

    private func lock(_ id: SalonID) -> Query<SalonRow?> {
        SalonRows.lock(id, waits: isRepeated)
    }

    private func write(_ salon: Salon, over row: SalonRow?) throws -> Salon {
        let (stored, query) = SalonRows.write(salon, over: row)
        try require(try connection.run(query), 1)
        hasChanges = true
        return stored
    }

    /// Creates or replaces salons, and deletes others if the options say so. Nothing is to be
    /// committed if it is a dry run, or if a salon cannot be deleted.
    func importSalons(
        _ imported: [Salon],
        _ options: SalonImport.Options
    ) throws -> SalonImport {
        try beginChange(of: options.deletesOthers ? nil : imported.map(\.id))
        let (_, now) = try connection.run(SalonRows.lockAll, DatabaseClock.now(clock))
        let result = try Importer(transaction: self, now: now).run(imported, options)
        hasChanges = hasChanges && !result.isPreview(options)
        return result
    }

    /// Nothing else changes salons meanwhile. So a row is locked only for a change.
    private struct Importer: SalonImporter {
        let transaction: WriteTransaction
        let now: Timestamp

        private var connection: Connection { transaction.connection }

        func row(of id: SalonID) throws -> SalonRow? {
            try connection.run(SalonRows.read(id, nil))
        }

        func salons(after id: SalonID?, limit: Int) throws -> [Salon] {
            try connection.run(SalonRows.page(after: id, limit: limit, nil))
        }

        func hasAppointments(of id: SalonID) throws -> Bool {
            try connection.run(
                transaction.lock(id),
                BusyRows.hasAppointments(of: id, after: now)
            ).1
        }

        func write(_ salon: Salon, over row: SalonRow?) throws -> Salon {
            _ = try connection.run(transaction.lock(salon.id))
            return try transaction.write(salon, over: row)
        }

        func delete(_ id: SalonID) throws {
            _ = try connection.run(SalonRows.delete(id))
            transaction.hasChanges = true
        }

        func record(_ change: AuditedChange) throws {
            try transaction.recordCommand(change, at: now)
        }
    }
}
