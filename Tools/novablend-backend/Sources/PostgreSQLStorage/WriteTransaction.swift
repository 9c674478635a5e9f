import BookingStorage
import Domain

/// The changes that one call of the store makes, in one transaction with the isolation level READ
/// COMMITTED.
///
/// The transaction begins together with its first statements. The caller commits it, or rolls it back
/// after an error or if nothing has changed. Because other transactions run at the
/// same time, primary keys and row locks decide each race, never what was read before.
final class WriteTransaction {
    let connection: Connection
    let salons: DecodedSalonCache
    /// The parameter of statements that need the current time; nil for the database's clock.
    let clock: Timestamp?
    /// Whether the transaction has been rolled back before. If so, it waits until no other booking
    /// uses its salon.
    let isRepeated: Bool
    /// Whether there is something to commit.
    var hasChanges = false
    /// The number of changes that the transaction makes for callers.
    var changeCount = 1
    private var hasBegun = false

    init(
        _ connection: Connection,
        _ salons: DecodedSalonCache,
        clock: Timestamp?,
        isRepeated: Bool = false
    ) {
        self.connection = connection
        self.isRepeated = isRepeated
        self.salons = salons
        self.clock = clock
    }

    /// Runs statements in one round trip and reads their results.
    @discardableResult
    func run<each Output>(
        _ query: repeat Query<each Output>
    ) throws(DatabaseError) -> (repeat each Output) {
        let first = hasBegun ? nil : SQL.begin
        hasBegun = true
        for query in repeat each query { hasChanges = hasChanges || query.writes }
        return try connection.run(after: first, repeat each query)
    }

    // MARK: Appointments

    func book(
        _ booking: BookingRequest,
        as request: KeyedRequest?,
        by principal: Principal,
        check: (Salon) throws -> BookingPlan
    ) throws -> StoredAppointment {
        let salonID = booking.salonID
        // Usually, whether the caller must be locked is known later: see `checkLimits`.
        let locksCaller = isRepeated || booking.holdID != nil
        let (isRevoked, _, _, now, salon, key, named, taken) = try run(
            self.isRevoked(principal),
            locksCaller ? lock(caller: booking.caller) : .value(0),
            KeyRows.prepare(request),
            currentTime,
            use(salonID),
            KeyRows.read(request?.key, in: .salon(salonID), now: clock),
            holds.lock(booking.holdID),
            takenTimes(near: booking, except: booking.holdID ?? "")
        )
        if isRevoked { throw Problem.invalidToken }
        return try once(request, key, in: salonID) {
            let plan = try plan(for: booking, at: salon, check)
            let visible = named.flatMap { principal.role.includes($0.booking) ? $0 : nil }
            let hold = try visible.flatMap { try $0.isActive(for: booking, now: now) ? $0 : nil }
            try plan.check(hold)
            try checkLimits(of: plan, for: booking, from: hold, now)
            // The time of a hold that does not exist for the principal is taken, too.
            let isHidden = named != nil && visible == nil
            let busy = try isHidden ? run(takenTimes(near: booking)) : taken
            var stored = StoredAppointment(of: booking, as: request, from: hold, plan)
            let preferred = hold?.booking.options.staffID
            let resources = try allocate(
                plan,
                for: &stored,
                busy,
                exceptHold: isHidden ? "" : booking.holdID ?? "",
                preferring: preferred
            )
            let (keyRows, _, _, grains, _, _) = try run(
                KeyRows.write(request, result: stored, now: now),
                release(hold),
                holds.end(hold?.id, now: now),
                take(resources, for: stored, now),
                insert(stored, at: now),
                record(AuditedChange(.book, stored), by: principal, at: now)
            )
            try require(keyRows, 1)
            try require(grains, OccupancyRows.count(resources, for: stored))
            return stored
        }
    }

    func change(
        _ id: String,
        as request: KeyedRequest?,
        by principal: Principal,
        edit: (inout StoredAppointment, Salon?) throws -> BookingPlan?
    ) throws -> StoredAppointment {
        let (isRevoked, _, found, salon, key, now) = try run(
            self.isRevoked(principal),
            KeyRows.prepare(request),
            lock(appointment: id),
            SalonRows.use(.ofAppointment(id), isSerialized: isRepeated, now: clock, salons),
            KeyRows.read(request?.key, in: .ofAppointment(id), now: clock),
            currentTime
        )
        if isRevoked { throw Problem.invalidToken }
        guard let before = found, principal.role.includes(before.booking) else {
            throw Problem.appointmentNotFound(id)
        }
        let salonID = before.booking.salonID
        return try once(request, key, in: salonID) {
            let (after, plan) = try before.changed(at: known(salon), by: edit)
            var stored = after
            let isBooked = stored.status == .booked
            var resources: Resources?
            if let plan { resources = try reallocate(plan, of: before, to: &stored) }
            let change = AuditedChange(isBooked ? .move : .cancel, stored)
            let (keyRows, _, grains, _, _) = try run(
                KeyRows.write(request, result: stored, now: now),
                release(plan != nil || !isBooked ? before : nil),
                resources.map { take($0, for: stored, now) } ?? .value(0),
                update(stored),
                record(change, by: principal, at: now)
            )
            try require(keyRows, 1)
            try require(grains, resources.map { OccupancyRows.count($0, for: stored) } ?? 0)
            return stored
        }
    }

    /// Chooses what a changed appointment takes. Its present staff member is preferred, and its own
    /// time is not taken.
    private func reallocate(
        _ plan: BookingPlan,
        of before: StoredAppointment,
        to stored: inout StoredAppointment
    ) throws -> Resources {
        let start = stored.booking.time.instant
        let range = plan.schedule.allocationRange(for: plan.requirement, at: start)
        let busy = try run(takenTimes(in: range, for: stored))
        let present = before.booking.options.staffID
        return try allocate(plan, for: &stored, busy, preferring: present)
    }

    // MARK: Steps of several changes

    /// Reads a salon in order to book there.
    func use(_ id: SalonID) -> Query<SalonRow?> {
        SalonRows.use(.salon(id), isSerialized: isRepeated, now: clock, salons)
    }

    /// The salon in a row that was read in order to book there; nil if it is deleted.
    private func known(_ row: SalonRow?) throws -> Salon? {
        // There is no row, because the salon is about to change.
        if row == nil, !isRepeated { throw DatabaseError.lostRace }
        return row?.salon
    }

    /// Takes resources in all grains of a reservation. Fewer rows are written if the salon must be
    /// locked for it.
    func take(
        _ resources: Resources,
        for reservation: some Reservation,
        _ now: Timestamp
    ) -> Query<Int> {
        OccupancyRows.take(resources, for: reservation, now: now, isSerialized: isRepeated)
    }

    /// The taken times, except those of a hold, in a range that contains every possible
    /// ``Schedule/allocationRange(for:at:)``. So they can be read before the salon is known. A day
    /// has up to 25 hours.
    func takenTimes(
        near booking: BookingRequest,
        except hold: String = ""
    ) -> Query<[BusyInterval]> {
        let start = booking.time.instant
        let hours: Int64 = 3_600
        let end = start.advanced(bySeconds: 49 * hours)
        return BusyInterval.query(
            BusyRows.others,
            of: booking.salonID,
            in: start.advanced(bySeconds: -26 * hours)..<end,
            exceptHold: hold,
            now: clock
        )
    }

    /// The taken times in a range, except those of a reservation itself and of a hold.
    private func takenTimes(
        in range: Range<Timestamp>,
        for reservation: some Reservation,
        exceptHold hold: String = ""
    ) -> Query<[BusyInterval]> {
        BusyInterval.query(
            BusyRows.others,
            of: reservation.booking.salonID,
            in: range,
            exceptAppointment: reservation.id,
            exceptHold: hold,
            now: clock
        )
    }

    /// What a booking needs at its salon.
    func plan(
        for booking: BookingRequest,
        at row: SalonRow?,
        _ check: (Salon) throws -> BookingPlan
    ) throws -> BookingPlan {
        guard let salon = try known(row) else { throw Problem.salonNotFound(booking.salonID) }
        return try check(salon)
    }

    /// Chooses a staff member or seats for a reservation, and sets its length and buffers.
    func allocate(
        _ plan: BookingPlan,
        for reservation: inout some Reservation,
        _ taken: [BusyInterval],
        exceptHold hold: String = "",
        preferring preferred: String? = nil
    ) throws -> Resources {
        try reservation.apply(plan)
        let start = reservation.booking.time.instant
        var busy = taken
        if plan.schedule.overlapsUnassigned(for: plan.requirement, at: start, busy: taken) {
            // Other bookings may rely on the same people, and conflict with no row of this one.
            if !isRepeated { throw DatabaseError.lostRace }
            busy = try plan.busyIntervals(at: start) { [reservation] range in
                try run(takenTimes(in: range, for: reservation, exceptHold: hold))
            }
        }
        let allocation = try plan.schedule.allocation(
            for: plan.requirement,
            at: start,
            busy: busy,
            preferring: preferred
        ) { [reservation] week in
            try run(
                BusyInterval.workQuery(
                    BusyRows.work,
                    of: reservation.booking.salonID,
                    in: week,
                    exceptAppointment: reservation.id,
                    exceptHold: hold,
                    now: clock
                )
            )
        }
        guard let allocation else { throw Problem.slotUnavailable }
        reservation.assign(allocation)
        return Resources(allocation, for: plan.requirement)
    }

    /// Throws `lostRace` unless a statement has written as many rows as it must.
    func require(_ count: Int, _ expected: Int) throws(DatabaseError) {
        if count != expected { throw .lostRace }
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
        let caller = booking.caller
        let salonID = booking.salonID
        // The key is not locked. If it is voided at the same time, the hold simply expires, and a
        // request with the same key for a different caller gets a hold, too. Locking the caller
        // writes a row. So the commit of a repeated request waits for a standby, like that of the
        // first request.
        let (isRevoked, _, now, key, earlier, all, salon, busy) = try run(
            self.isRevoked(principal),
            lock(caller: caller),
            currentTime,
            KeyRows.read(request?.key, in: .salon(salonID), now: clock),
            holds.active(with: request?.key, in: salonID, now: clock),
            holds.active(of: caller, now: clock),
            use(salonID),
            takenTimes(near: booking)
        )
        if isRevoked { throw Problem.invalidToken }
        if let request, let hold = try key.earlierHold(of: request, active: earlier) { return hold }
        let plan = try plan(for: booking, at: salon, check)
        try StoredHold.checkCount(all.filter { principal.role.includes($0.booking) }, now: now)
        try checkLimits(of: plan, for: booking, now)
        let expiry = now.advanced(bySeconds: seconds)
        var hold = StoredHold(of: booking, until: expiry)
        let resources = try allocate(plan, for: &hold, busy)
        let (grains, _, _) = try run(
            take(resources, for: hold, now),
            holds.insert(hold, as: request),
            record(AuditedChange(.hold, hold), by: principal, at: now)
        )
        try require(grains, OccupancyRows.count(resources, for: hold))
        return hold
    }
}

// MARK: - Idempotency keys

extension WriteTransaction {
    /// Makes a change that also stores its result with the key of the request. If the same request
    /// was made before, returns the original result and changes nothing. Errors are not stored.
    func once(
        _ request: KeyedRequest?,
        _ state: KeyState,
        in salon: SalonID,
        _ change: () throws -> StoredAppointment
    ) throws -> StoredAppointment {
        guard let request else { return try change() }
        if let earlier = try state.earlierResult(of: request) {
            try touch(request.key, in: .salon(salon))
            return earlier
        }
        do {
            return try change()
        } catch let error as Problem {
            // A copy of this request may have been committed after its key was read and before the
            // rest was read. Then the effect of that copy is the reason for the error.
            let now = try run(KeyRows.read(request.key, in: .salon(salon), now: clock))
            guard let earlier = try now.earlierResult(of: request) else { throw error }
            try touch(request.key, in: .salon(salon))
            return earlier
        }
    }

    func void(_ key: IdempotencyKey, in salon: SalonID, by principal: Principal) throws {
        let (isRevoked, now, state) = try run(
            self.isRevoked(principal),
            currentTime,
            KeyRows.read(key, in: .salon(salon), now: clock)
        )
        if isRevoked { throw Problem.invalidToken }
        try state.checkVoidable()
        guard case .unused = state else { return try touch(key, in: .salon(salon)) }
        try require(try run(KeyRows.void(key, in: salon, now: now)), 1)
        try recordVoiding(in: salon, by: principal, at: now)
    }

    func voidInAllSalons(_ key: IdempotencyKey, by principal: Principal) throws {
        let (isRevoked, _, now, state) = try run(
            self.isRevoked(principal),
            KeyRows.prepareVoiding,
            currentTime,
            KeyRows.readUsed(key, now: clock)
        )
        if isRevoked { throw Problem.invalidToken }
        try state.checkVoidable()
        // A key that is voided already is written again, as in `touch`.
        hasChanges = true
        guard try run(KeyRows.voidInAllSalons(key, now: now)) else { return }
        try recordVoiding(in: nil, by: principal, at: now)
    }

    /// A client chooses its keys, so they may contain anything, and are not recorded.
    private func recordVoiding(
        in salon: SalonID?,
        by principal: Principal,
        at now: Timestamp
    ) throws {
        let change = AuditedChange(.void, .key, salonID: salon)
        try run(record(change, by: principal, at: now))
    }

    /// Waits until no other transaction uses the key. If it was stored, writes it again, so that the
    /// commit waits until the standby has it, if there is one. The transaction that stored it may have
    /// been committed without that, for example because the server has restarted.
    func touch(_ key: IdempotencyKey, in place: SalonPlace) throws {
        hasChanges = try run(KeyRows.touch(key, in: place))
    }
}
