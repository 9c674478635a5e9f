public import Domain

extension BookingStore {
    /// The salon with the id; nil if it does not exist.
    public func salon(_ id: SalonID) async throws(StoreError) -> Salon? {
        let salons = database.access.salons
        return try await database.access.read { _ in
            SalonRow.read(id, cached: salons.latest(id), salons)
        }?.salon
    }

    /// The salon with the id, or an earlier version of it; nil if it does not exist. This usually reads
    /// nothing.
    public func recentSalon(_ id: SalonID) async throws(StoreError) -> Salon? {
        if let recent = database.access.salons.latest(id) { return recent }
        return try await salon(id)
    }

    /// The first `limit` salons whose id is greater than `id`, in the order of their ids.
    public func salons(after id: SalonID?, limit: Int) async throws(StoreError) -> [Salon] {
        let salons = database.access.salons
        return try await database.access.read { _ in SalonRow.page(after: id, limit: limit, salons)
        }
    }

    /// Creates or replaces a salon if `condition` is met. The store assigns the version.
    ///
    /// - Parameter schedule: The rules of the salon that is put. If they are not nil, its active
    ///   future appointments move to the instants at which the clock of the schedule shows the local
    ///   times for which they were booked. They keep their lengths and staff members. Holds do not
    ///   move.
    /// - Throws: `salonConditionFailed`, `wallClockNotKept` if one of the appointments cannot move,
    ///   or `unavailable`.
    public func put(
        _ salon: Salon,
        if condition: SalonCondition,
        keepingWallClockBy schedule: Schedule?,
        by principal: Principal
    ) async throws(StoreError) -> SalonUpdate {
        try await database.access.write(isRepeatable: false) {
            try $0.put(salon, if: condition, keepingWallClockBy: schedule, by: principal)
        }
    }

    /// Deletes a salon if `condition` is met. Its appointments remain.
    ///
    /// - Throws: `salonNotFound`, `salonConditionFailed`, `salonHasBookings` if an active
    ///   appointment starts in the future, or `unavailable`.
    public func deleteSalon(
        _ id: SalonID,
        if condition: SalonCondition,
        by principal: Principal
    ) async throws(StoreError) {
        try await database.access.write(isRepeatable: false) {
            try $0.deleteSalon(id, if: condition, by: principal)
        }
    }

    /// Creates or replaces all `salons` in one transaction. Other salons remain. If several have
    /// the same id, the last one counts. A salon that is already stored in this form keeps its
    /// version.
    ///
    /// If other salons are to be deleted, and at least one of them cannot be, nothing changes: see
    /// ``SalonImport/undeletable``. Appointments remain. The audit log records the changes as made by a
    /// command.
    public func importSalons(
        _ salons: [Salon],
        _ options: SalonImport.Options = SalonImport.Options()
    ) async throws(StoreError) -> SalonImport {
        do throws(StoreError) {
            return try await database.access.write(isRepeatable: false) {
                try $0.importSalons(salons, options)
            }
        } catch .rejected(let preview as SalonImportPreview) {
            return preview.result
        } catch {
            throw error
        }
    }
}
