package import Domain

/// A transaction that changes a store. Extensions implement the changes that are the same for all
/// databases. The requirements are the statements that differ.
package protocol StoreTransaction {
    /// The time by the clock that decides what has expired. It does not change in a transaction.
    var currentTime: Query<Timestamp> { get }
    var holds: HoldStatements { get }

    /// Runs statements and reads their results.
    @discardableResult
    func run<each Output>(_ query: repeat Query<each Output>) throws -> (repeat each Output)

    /// Throws if the transaction may not take or release `rows` rows of occupied time now.
    func admit(_ rows: Int) throws
    /// Lets the changes be rolled back, although they have a result. Must be the last call.
    func discardChanges()

    // MARK: Salons

    /// Must be called before salons are changed. If `ids` is nil, all salons may be changed.
    ///
    /// - Parameter excludesOthers: Whether no other transaction may change salons until the end of
    ///   this one.
    func beginChange(of ids: [SalonID]?, excludesOthers: Bool) throws
    /// Reads a salon in order to change it. It is not cached, because the transaction may be rolled
    /// back.
    func lock(salon id: SalonID) -> Query<SalonRow?>
    /// Stores a salon in its next version and returns it.
    func write(_ salon: Salon, over row: SalonRow?) throws -> Salon
    /// Deletes the content of the salon `$1`.
    var markSalonDeleted: SQL { get }

    // MARK: Appointments

    /// Reads an appointment by its id in order to change it.
    var lockAppointment: SQL { get }
    /// The statement for ``StoredAppointment/active(_:of:startingFrom:endingAfter:limit:)`` that
    /// reads the appointments in order to change them.
    var lockActiveAppointments: SQL { get }
    /// The statement for ``BusyInterval/query(_:of:in:exceptAppointment:exceptHold:now:)``.
    var busyIntervals: SQL { get }
    /// The statement for ``BusyInterval/workQuery(_:of:in:exceptAppointment:exceptHold:now:)``.
    var staffWork: SQL { get }
    func update(_ stored: StoredAppointment) -> Query<Int>
    /// Releases all grains of a reservation, if there is one, and returns their number.
    func release(_ reservation: (some Reservation)?) -> Query<Int>
    /// Takes the new time of a moved appointment, stores the appointment, and runs `record`.
    func take(_ move: WallClockMove, now: Timestamp, _ record: Query<Int>) throws

    // MARK: Personal data

    /// Whether the token `$1` of a customer was revoked. Until the end of the transaction, it cannot be.
    var isCustomerTokenRevoked: SQL { get }
    /// Waits for the transactions that use the tokens of a customer, and lets new ones wait until the end
    /// of this one.
    func lockTokens(of caller: String) -> Query<Int>
    /// Prevents other transactions from making holds of a customer, and bookings that are limited,
    /// until the end of this one.
    func lock(caller: String) -> Query<Int>
    /// Deletes the rows about a customer in the tables that only this kind of database has.
    func deleteRest(of caller: String) -> Query<[Int]>
    /// Deletes at most `limit` holds and `limit` keys that have expired.
    func deleteHoldsAndKeys(limit: Int, _ now: Timestamp) throws -> ExpiredRows
    /// Deletes at most `$2` rows of appointments that were deleted before `$1`, and returns the
    /// numbers of their changes.
    var deleteOldAppointments: SQL { get }
}

extension StoreTransaction {
    package func admit(_ rows: Int) throws {}
    package func beginChange(of ids: [SalonID]?, excludesOthers: Bool) throws {}
    package var isCustomerTokenRevoked: SQL { StoredToken.isRevoked }
    package func lockTokens(of caller: String) -> Query<Int> { .value(0) }
    package func lock(caller: String) -> Query<Int> { .value(0) }
    package func deleteRest(of caller: String) -> Query<[Int]> { .value([]) }
}

extension StoreTransaction {
    package func lock(appointment id: String) -> Query<StoredAppointment?> {
        Query(lockAppointment, id)
    }

    // MARK: Limits

    /// Throws `tooManyAppointments` if the customer of a new booking or hold has as many appointments
    /// as the plan allows.
    ///
    /// - Parameter hold: The hold that becomes the appointment, or nil.
    package func checkLimits(
        of plan: BookingPlan,
        for booking: BookingRequest,
        from hold: StoredHold? = nil,
        _ now: Timestamp
    ) throws {
        if plan.limits.isEmpty { return }
        let (_, usage, held) = try run(
            lock(caller: booking.caller),
            CustomerUsage.query(of: booking, now: now),
            holds.active(of: booking.caller, now: now)
        )
        let others = held.filter { $0.id != hold?.id }
        try usage.check(plan.limits, at: booking.salonID, holds: others)
    }

    // MARK: Audit log

    /// Records a change that a request makes. The query sends nothing if a program on the same machine
    /// makes the change without a token.
    package func record(
        _ change: @autoclosure () -> AuditedChange,
        by principal: Principal,
        at now: Timestamp
    ) -> Query<Int> {
        guard principal.tokenID != nil, let entry = change().entry(at: now, by: principal) else {
            return .value(0)
        }
        return Query(AuditEntry.insert, values: entry.values)
    }

    /// Records what was done without a token.
    func record(_ events: [AuditedChange], by role: AuditEntry.Role) throws {
        let now = try run(currentTime)
        for event in events {
            try run(Query<Int>(AuditEntry.insert, values: event.entry(at: now, by: role).values))
        }
    }

    /// Records a change that a command makes.
    func recordCommand(_ change: AuditedChange, at now: Timestamp) throws {
        try run(Query<Int>(AuditEntry.insert, values: change.entry(at: now).values))
    }

    // MARK: Clock

    /// Whether what has expired may be deleted.
    package func isClockSteady(_ monitor: ClockMonitor, _ now: Timestamp) throws -> Bool {
        let observation = monitor.observe(now)
        if let record = observation.record {
            try run(Query<Int>(ClockMonitor.Record.update, record.time, record.wait))
        }
        return observation.isSteady
    }

    // MARK: Tokens

    /// Whether the token of a principal was revoked. A transaction that changes something for a
    /// principal must read this first, and fail if it is true. Then the revocation of the tokens of a
    /// customer is either seen here, or waits until this transaction has ended.
    package func isRevoked(_ principal: Principal) -> Query<Bool> {
        guard let id = principal.tokenID else { return .value(false) }
        let sql = principal.role.phone == nil ? StoredToken.isRevoked : isCustomerTokenRevoked
        return Query(sql, id, otherwise: false)
    }

    /// Throws `invalidToken` if the token of a principal was revoked.
    package func requireToken(of principal: Principal) throws {
        if try run(isRevoked(principal)) { throw Problem.invalidToken }
    }

    func create(_ token: StoredToken) throws {
        let (count, now) = try run(
            Query<Int>(StoredToken.insert, values: token.values),
            currentTime
        )
        guard count == 1 else { throw Problem.unavailable(StoredToken.notNew) }
        try recordCommand(AuditedChange(.create, tokenID: token.id), at: now)
    }

    func revokeToken(_ id: String, at time: Timestamp) throws -> Bool {
        let (found, now) = try run(Query<StoredToken?>(StoredToken.byID, id), currentTime)
        guard let found else { return false }
        if found.revokedAt != nil { return true }
        try run(Query<Int>(StoredToken.revoke, id, time))
        try recordCommand(AuditedChange(.revoke, tokenID: id), at: now)
        return true
    }

    // MARK: Holds

    func release(hold id: String, by principal: Principal) throws {
        let (isRevoked, found, now) = try run(
            self.isRevoked(principal),
            holds.lock(id),
            currentTime
        )
        if isRevoked { throw Problem.invalidToken }
        // A hold that ended before this is no longer known, even if its row has not been deleted
        // yet.
        let earliest = now.advanced(bySeconds: -StoredHold.retentionSeconds)
        guard let hold = found, hold.expiresAt >= earliest,
            principal.role.includes(hold.booking)
        else { throw Problem.holdNotFound(id) }
        try admit(hold.rowCount)
        // An ended hold is written again, so that the commit waits until a standby has its end,
        // too.
        let isActive = hold.expiresAt > now
        try run(
            release(hold),
            holds.end(id, now: min(hold.expiresAt, now)),
            isActive ? record(AuditedChange(.release, hold), by: principal, at: now) : .value(0)
        )
    }
}
