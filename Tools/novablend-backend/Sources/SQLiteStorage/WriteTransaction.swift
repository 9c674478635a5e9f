import BookingStorage
import Domain

/// The changes that one operation makes. Other operations may be part of the same transaction of
/// the database, each in a savepoint of its own.
final class WriteTransaction {
    let database: Database
    let salons: DecodedSalonCache
    let clock: ClockMonitor
    let now: Timestamp
    /// The value of ``Database/totalChanges`` when the transaction began; nil if the operation is alone.
    let batchStart: Int?
    /// Why the operation must run again in a different transaction; nil if it need not.
    private(set) var postponement: Postponement?
    /// Whether the changes are rolled back, although the operation has a result.
    private(set) var areChangesDiscarded = false

    /// The most rows that one of several operations in a transaction takes.
    static let maximumSharedRows = Requirement.maximumRows / 10

    init(
        _ database: Database,
        _ salons: DecodedSalonCache,
        _ clock: ClockMonitor,
        now: Timestamp,
        batchStart: Int?
    ) {
        (self.database, self.salons, self.clock) = (database, salons, clock)
        (self.now, self.batchStart) = (now, batchStart)
    }

    @discardableResult
    func run<each Output>(
        _ query: repeat Query<each Output>
    ) throws(StorageFailure) -> (repeat each Output) {
        try database.run(repeat each query)
    }

    /// Postpones the operation and throws if it may not take or release `rows` rows now. So no
    /// operation waits long for the others in its transaction.
    func admit(_ rows: Int) throws(StorageFailure) {
        guard let batchStart else { return }
        if rows > Self.maximumSharedRows {
            postponement = .alone
        } else if database.totalChanges - batchStart + rows > Requirement.maximumRows {
            postponement = .next
        }
        if postponement != nil { throw StorageFailure(.overloaded, "the transaction is full") }
    }

    func discardChanges() { areChangesDiscarded = true }

    // MARK: Appointments

    func book(
        _ booking: BookingRequest,
        as request: KeyedRequest?,
        by principal: Principal,
        check: (Salon) throws -> BookingPlan
    ) throws -> StoredAppointment {
        try requireToken(of: principal)
        return try once(request, in: booking.salonID) {
            let plan = try plan(for: booking, check)
            let hold = try endHold(of: booking, visibleTo: principal.role)
            try plan.check(hold)
            try checkLimits(of: plan, for: booking, from: hold, now)
            var stored = StoredAppointment(of: booking, as: request, from: hold, plan)
            try reserve(plan, for: &stored, preferring: hold?.booking.options.staffID) {
                try AppointmentRows.insert($0, now: now, in: database)
            }
            try run(record(AuditedChange(.book, stored), by: principal, at: now))
            return stored
        }
    }

    func change(
        _ id: String,
        as request: KeyedRequest?,
        by principal: Principal,
        edit: (inout StoredAppointment, Salon?) throws -> BookingPlan?
    ) throws -> StoredAppointment {
        try requireToken(of: principal)
        let found = try run(lock(appointment: id))
        guard let before = found, principal.role.includes(before.booking) else {
            throw Problem.appointmentNotFound(id)
        }
        let salonID = before.booking.salonID
        return try once(request, in: salonID) {
            let salon = try salon(salonID)
            let (after, plan) = try before.changed(at: salon, by: edit)
            var stored = after
            let isBooked = stored.status == .booked
            if plan != nil || !isBooked {
                try admit(before.rowCount)
                try run(release(before))
            }
            let change = AuditedChange(isBooked ? .move : .cancel, stored)
            try run(record(change, by: principal, at: now))
            guard let plan else {
                try run(update(stored))
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
            throw Problem.salonNotFound(booking.salonID)
        }
        return try check(salon)
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
        let state = try run(KeyRows.read(request.key, in: salon))
        if let earlier = try state.earlierResult(of: request) { return earlier }
        let result = try change()
        try deleteExpiredKeys()
        try run(KeyRows.write(request, result: result, now: now))
        return result
    }

    func void(_ key: IdempotencyKey, in salon: SalonID?, by principal: Principal) throws {
        try requireToken(of: principal)
        try run(KeyRows.read(key, in: salon)).checkVoidable()
        try deleteExpiredKeys()
        guard try run(KeyRows.void(key, in: salon, now: now)) > 0 else { return }
        // A client chooses its keys, so they may contain anything.
        try run(record(AuditedChange(.void, .key, salonID: salon), by: principal, at: now))
    }

    /// Deletes a few expired keys. Each new key calls this, so expired keys do not accumulate, and
    /// no request waits for a long deletion.
    private func deleteExpiredKeys() throws {
        guard try isClockSteady() else { return }
        try run(KeyRows.deleteExpired(amongOldest: 16, now: now))
    }

    /// Whether what has expired may be deleted.
    func isClockSteady() throws -> Bool { try isClockSteady(clock, now) }

    private func salon(_ id: SalonID) throws -> Salon? {
        let row = try run(SalonRow.read(id, cached: salons.latest(id), salons))
        return row?.salon
    }
}
