import BookingStorage
import Domain

/// The changes that one operation makes. Other operations may be part of the same transaction of
/// the database, each in a savepoint of its own.
struct WriteTransaction {
    let database: Database
    let salons: DecodedSalonCache
    let clock: ClockMonitor
    let now: Timestamp
    /// The value of ``Database/totalChanges`` when the transaction began; nil if the operation is alone.
    var batchStart: Int?

    /// The most rows that one of several operations in a transaction takes.
    static let maximumSharedRows = Requirement.maximumRows / 10

    /// Throws ``Postponed`` if the operation may not take or release so many rows now. So no operation
    /// waits long for the others in its transaction.
    func admit(_ rows: Int) throws(Postponed) {
        guard let batchStart else { return }
        if rows > Self.maximumSharedRows { throw .alone }
        let changes = database.totalChanges - batchStart
        if changes + rows > Requirement.maximumRows { throw .next }
    }

    // MARK: Appointments

    func book(
        _ booking: BookingRequest,
        as request: KeyedRequest?,
        by principal: Principal,
        check: (Salon) throws -> BookingPlan
    ) throws -> StoredAppointment {
        try once(request, in: booking.salonID) {
            let plan = try plan(for: booking, check)
            let hold = try endHold(of: booking, visibleTo: principal.role)
            try plan.check(hold)
            var stored = StoredAppointment(of: booking, as: request, from: hold)
            try reserve(plan, for: &stored, preferring: hold?.booking.options.staffID) {
                try AppointmentRows.insert($0, in: database)
            }
            try record(AuditedChange(.book, stored), by: principal)
            return stored
        }
    }

    func change(
        _ id: String,
        as request: KeyedRequest?,
        by principal: Principal,
        edit: (inout StoredAppointment, Salon?) throws -> BookingPlan?
    ) throws -> StoredAppointment {
        guard let before = try AppointmentRows.read(id, in: database),
            principal.role.includes(before.booking)
        else { throw StoreError.appointmentNotFound(id) }
        let salonID = before.booking.salonID
        return try once(request, in: salonID) {
            let salon = try salon(salonID)
            let (after, plan) = try before.changed(at: salon, by: edit)
            var stored = after
            let isBooked = stored.status == .booked
            if plan != nil || !isBooked {
                try admit(before.rowCount)
                try OccupancyRows.release(before, in: database)
            }
            try record(AuditedChange(isBooked ? .move : .cancel, stored), by: principal)
            guard let plan else {
                try AppointmentRows.update(stored, in: database)
                return stored
            }
            try reserve(plan, for: &stored, preferring: before.booking.options.staffID) {
                try AppointmentRows.update($0, in: database)
            }
            return stored
        }
    }

    /// What a booking needs at its salon.
    func plan(
        for booking: BookingRequest,
        _ check: (Salon) throws -> BookingPlan
    ) throws -> BookingPlan {
        guard let salon = try salon(booking.salonID) else {
            throw StoreError.salonNotFound(booking.salonID)
        }
        return try StoreError.rejecting { try check(salon) }
    }

    // MARK: Idempotency keys

    /// Makes a change and stores its result with the key of the request. If the same request was
    /// made before, returns the original result and changes nothing. Errors are not stored.
    private func once(
        _ request: KeyedRequest?,
        in salon: SalonID,
        _ change: () throws -> StoredAppointment
    ) throws -> StoredAppointment {
        guard let request else { return try change() }
        let state = try KeyRows.read(request.key, in: salon, database)
        if let earlier = try state.earlierResult(of: request) { return earlier }
        let result = try change()
        try deleteExpiredKeys()
        try KeyRows.write(request, result: result, now: now, in: database)
        return result
    }

    func void(_ key: IdempotencyKey, in salon: SalonID?, by principal: Principal) throws {
        try KeyRows.read(key, in: salon, database).checkVoidable()
        try deleteExpiredKeys()
        guard try KeyRows.void(key, in: salon, now: now, database) else { return }
        // A client chooses its keys, so they may contain anything.
        try record(AuditedChange(.void, .key, salonID: salon), by: principal)
    }

    /// Each new key does this. So expired ones do not accumulate, and no request waits for a long
    /// deletion.
    private func deleteExpiredKeys() throws(StorageFailure) {
        guard try isClockSteady() else { return }
        try KeyRows.deleteExpired(amongOldest: 16, now: now, in: database)
    }

    // MARK: Salons

    private func salon(_ id: SalonID) throws(StorageFailure) -> Salon? {
        try SalonRows.read(id, in: database, salons)?.salon
    }

    func put(
        _ salon: Salon,
        if condition: SalonCondition,
        keepingWallClockBy schedule: Schedule?,
        by principal: Principal
    ) throws -> SalonUpdate {
        let row = try SalonRows.read(salon.id, in: database, salons)
        guard condition.isMet(by: row?.salon?.version) else {
            throw StoreError.salonConditionFailed(row?.salon)
        }
        let stored = try SalonRows.write(salon, over: row, in: database)
        let isNew = row?.salon == nil
        try record(AuditedChange(isNew ? .create : .replace, stored), by: principal)
        if isNew { return .created(stored) }
        let moved = try schedule.map { try keepWallClock(of: salon.id, by: $0, principal) }
        return .replaced(stored, moved: moved ?? 0)
    }

    func deleteSalon(
        _ id: SalonID,
        if condition: SalonCondition,
        by principal: Principal
    ) throws {
        guard let salon = try salon(id) else { throw StoreError.salonNotFound(id) }
        guard condition.isMet(by: salon.version) else {
            throw StoreError.salonConditionFailed(salon)
        }
        if try BusyRows.hasAppointments(of: id, after: now, in: database) {
            throw StoreError.salonHasBookings
        }
        try SalonRows.delete(id, in: database)
        try record(AuditedChange(deletionOf: id), by: principal)
    }
}
