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

// MARK: - Holds

extension WriteTransaction {
    func hold(
        _ booking: BookingRequest,
        seconds: Int64,
        as request: KeyedRequest?,
        by principal: Principal,
        check: (Salon) throws -> BookingPlan
    ) throws -> StoredHold {
        try requireToken(of: principal)
        if let request, let earlier = try earlierHold(of: request, in: booking.salonID) {
            return earlier
        }
        let plan = try plan(for: booking, check)
        let active = try run(holds.active(of: booking.caller, now: now))
        let visible = active.filter { principal.role.includes($0.booking) }
        try StoredHold.checkCount(visible, now: now)
        try checkLimits(of: plan, for: booking, now)
        let expiry = now.advanced(bySeconds: seconds)
        var hold = StoredHold(of: booking, until: expiry)
        try reserve(plan, for: &hold) {
            try run(holds.insert($0, as: request))
            return -database.lastRowID
        }
        if try isClockSteady() { try deleteExpiredHolds(amongOldest: 2) }
        try run(record(AuditedChange(.hold, hold), by: principal, at: now))
        return hold
    }

    private func earlierHold(of request: KeyedRequest, in salon: SalonID) throws -> StoredHold? {
        let (state, active) = try run(
            KeyRows.read(request.key, in: salon),
            holds.active(with: request.key, in: salon, now: now)
        )
        return try state.earlierHold(of: request, active: active)
    }

    /// Ends the hold that becomes a booking, so that its time is free for the booking. Returns nil
    /// if the booking names none, or one that is not active or not visible to the role: then its
    /// time may be taken.
    func endHold(
        of booking: BookingRequest,
        visibleTo role: Principal.Role
    ) throws -> StoredHold? {
        let found = try run(holds.lock(booking.holdID))
        guard let hold = found, role.includes(hold.booking),
            try hold.isActive(for: booking, now: now)
        else { return nil }
        try admit(hold.rowCount)
        try run(release(hold), holds.end(hold.id, now: now))
        return hold
    }

    /// Deletes those of the `count` oldest holds that are no longer remembered, or fewer if they have
    /// many grains, and returns their number. Each new hold calls this with a `count` of two, so old holds do not accumulate, and
    /// no request waits for a long deletion.
    @discardableResult
    func deleteExpiredHolds(amongOldest count: Int) throws -> Int {
        let earliest = now.advanced(bySeconds: -StoredHold.retentionSeconds)
        let expired = try run(Query<[StoredHold]>(Self.oldestHolds, count)).filter {
            $0.expiresAt < earliest
        }
        var (count, rows) = (0, 0)
        for hold in expired where rows < Requirement.maximumRows {
            rows += try run(release(hold), Query<Int>(Self.deleteHold, hold.id)).0 + 1
            count += 1
        }
        return count
    }

    private static let oldestHolds = SQL(
        "SELECT \(StoredHold.columns) FROM holds ORDER BY number LIMIT $1"
    )
    private static let deleteHold = SQL("DELETE FROM holds WHERE id = $1")
}

// MARK: - Reserving

extension WriteTransaction {
    /// Finds a free staff member or free seats for an appointment or a hold that has none. Sets its
    /// length, its buffers, and its staff member, stores it, and takes its time. Throws if too few
    /// are free, or if it must wait for a different transaction.
    ///
    /// - Parameter store: Writes the row. Returns its number as the owner of the grains.
    func reserve<R: Reservation>(
        _ plan: BookingPlan,
        for reservation: inout R,
        preferring preferred: String? = nil,
        storing store: (R) throws -> Int64
    ) throws {
        let requirement = plan.requirement
        try reservation.apply(plan)
        var rows = reservation.rowCount
        // Choosing among many staff members takes as long as writing a row for each of them.
        if case .staff(let members) = requirement.resources { rows = max(rows, members.count) }
        try admit(rows)
        let salon = try run(SalonRows.occupancy(of: reservation.booking.salonID))
        let grains = reservation.grains
        var times: [OccupancyRows.OccupiedTime] = []
        switch requirement.resources {
        case .seats(let count, let total):
            let taken = try run(OccupancyRows.taken(in: grains, of: salon.number, now: now))
            // The only seat is free if no one has any of the grains, not even another seat or a
            // staff member whom the salon had before. The scheduling rules would reach the same
            // result, but would read the appointments of several days.
            let isEnough = total == 1 && grains.lowerBound >= salon.completeFrom
            let isFree = try isEnough ? taken.isEmpty : allocate(plan, for: reservation) != nil
            guard isFree else { throw Problem.slotUnavailable }
            times = OccupancyRows.freeSeats(count, in: grains, taken: taken)
            reservation.assign(.seats(count))
        case .staff:
            let allocation = try allocate(plan, for: reservation, preferring: preferred)
            guard let allocation, case .staff(let id) = allocation else {
                throw Problem.slotUnavailable
            }
            times = [OccupancyRows.OccupiedTime(resource: .staff(id), grains: grains)]
            reservation.assign(allocation)
        }
        let owner = try store(reservation)
        let hasTaken = try OccupancyRows.take(
            times,
            of: salon.number,
            for: owner,
            until: reservation.expiry,
            now: now,
            in: database
        )
        guard hasTaken else { throw Problem.slotUnavailable }
        guard try isClockSteady() else { return }
        try OccupancyRows.deletePast(
            of: salon,
            taking: reservation.rowCount,
            now: now,
            in: database
        )
    }

    /// What the scheduling rules choose; nil if too few are free.
    private func allocate(
        _ plan: BookingPlan,
        for reservation: some Reservation,
        preferring preferred: String? = nil
    ) throws -> Allocation? {
        let start = reservation.booking.time.instant
        let busy = try plan.busyIntervals(at: start) { range in
            try run(
                BusyInterval.query(
                    BusyRows.others,
                    of: reservation.booking.salonID,
                    in: range,
                    exceptAppointment: reservation.id,
                    exceptHold: reservation.id,
                    now: now
                )
            )
        }
        return try plan.schedule.allocation(
            for: plan.requirement,
            at: start,
            busy: busy,
            preferring: preferred
        ) { week in
            try run(
                BusyInterval.workQuery(
                    BusyRows.work,
                    of: reservation.booking.salonID,
                    in: week,
                    exceptAppointment: reservation.id,
                    exceptHold: reservation.id,
                    now: now
                )
            )
        }
    }
}

// MARK: - Statements

extension HoldStatements {
    static let sqlite = HoldStatements(now: { "$\($0)" })
}

// One operation runs at a time, so nothing needs to be locked.
extension WriteTransaction: StoreTransaction {
    var currentTime: Query<Timestamp> { .value(now) }
    var holds: HoldStatements { .sqlite }

    func lock(salon id: SalonID) -> Query<SalonRow?> { SalonRow.read(id, nil) }

    func write(_ salon: Salon, over row: SalonRow?) throws -> Salon {
        try SalonRows.write(salon, over: row, in: database)
    }

    var markSalonDeleted: SQL { SalonRows.markDeleted }
    var lockAppointment: SQL { StoredAppointment.byID }
    var lockActiveAppointments: SQL { AppointmentRows.active }
    var busyIntervals: SQL { BusyRows.others }
    var staffWork: SQL { BusyRows.work }

    func update(_ stored: StoredAppointment) -> Query<Int> {
        Query(AppointmentRows.update, values: stored.values)
    }

    /// Releases all grains of a reservation, whose row must still exist.
    func release(_ reservation: (some Reservation)?) -> Query<Int> {
        guard let reservation else { return .value(0) }
        let (salon, grains) = (reservation.booking.salonID, reservation.grains)
        let (first, end) = (grains.lowerBound, grains.upperBound)
        return Query(OccupancyRows.release, salon, first, end, reservation.id)
    }

    func take(_ move: WallClockMove, now: Timestamp, _ record: Query<Int>) throws {
        let (after, grains) = (move.after, move.after.grains)
        let salon = try run(SalonRows.occupancy(of: after.booking.salonID)).number
        let owner = try AppointmentRows.update(after, in: database)
        var times = [OccupancyRows.OccupiedTime]()
        switch move.allocation {
        case .staff(let id):
            times = [OccupancyRows.OccupiedTime(resource: .staff(id), grains: grains)]
        case .seats(let count):
            let taken = try run(OccupancyRows.taken(in: grains, of: salon, now: now))
            times = OccupancyRows.freeSeats(count, in: grains, taken: taken)
        }
        let hasTaken = try OccupancyRows.take(
            times,
            of: salon,
            for: owner,
            until: nil,
            now: now,
            in: database
        )
        guard hasTaken else { throw move.takenError }
        try run(record)
    }

    func deleteHoldsAndKeys(limit: Int, _ now: Timestamp) throws -> ExpiredRows {
        var deleted = ExpiredRows()
        deleted.holds = try deleteExpiredHolds(amongOldest: limit)
        deleted.keys = try run(KeyRows.deleteExpired(amongOldest: limit, now: now))
        return deleted
    }

    /// A row with the last number of all remains, because the number could be used again.
    static let deleteOldAppointments = SQL(
        """
        DELETE FROM appointments
        WHERE number IN (
            SELECT number FROM appointments
            WHERE deleted_at < $1 AND change < \(ChangeRows.lastNumber) LIMIT $2
        )
        RETURNING change
        """
    )
    var deleteOldAppointments: SQL { Self.deleteOldAppointments }
}
