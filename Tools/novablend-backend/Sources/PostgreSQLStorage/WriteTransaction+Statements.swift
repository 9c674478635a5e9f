import BookingStorage
import Domain

extension HoldStatements {
    static let postgreSQL = HoldStatements(
        now: DatabaseClock.sql,
        lock: " FOR UPDATE",
        hasBusyColumns: true
    )
}

extension WriteTransaction: StoreTransaction {
    var currentTime: Query<Timestamp> { DatabaseClock.now(clock) }
    var holds: HoldStatements { .postgreSQL }

    func discardChanges() { hasChanges = false }

    // MARK: Salons

    /// Prepares a change of salons. If a booking is using one of them, the change is rolled back
    /// and repeated. The repetition first announces the change, so that new bookings wait for it.
    /// Otherwise a continuous stream of bookings could delay the change forever.
    func beginChange(of ids: [SalonID]?, excludesOthers: Bool) throws {
        if isRepeated {
            try connection.run(
                after: .begin,
                Query<Void>(running: Self.withoutSync),
                SalonRows.announceChange(of: ids, now: clock),
                Query<Void>(running: .commit)
            )
        }
        if excludesOthers { try run(SalonRows.lockAll) }
    }

    func lock(salon id: SalonID) -> Query<SalonRow?> { SalonRows.lock(id, waits: isRepeated) }

    func write(_ salon: Salon, over row: SalonRow?) throws -> Salon {
        let (stored, query) = SalonRows.write(salon, over: row)
        try require(try run(query), 1)
        return stored
    }

    var markSalonDeleted: SQL { SalonRows.markDeleted }

    // MARK: Appointments

    var lockAppointment: SQL { AppointmentRows.byIDForUpdate }
    var lockActiveAppointments: SQL { AppointmentRows.activeForUpdate }
    var busyIntervals: SQL { BusyRows.others }
    var staffWork: SQL { BusyRows.work }

    func insert(_ stored: StoredAppointment, at now: Timestamp) -> Query<Int> {
        Query(AppointmentRows.insert, values: AppointmentRows.values(of: stored) + [now])
    }

    func update(_ stored: StoredAppointment) -> Query<Int> {
        Query(AppointmentRows.update, values: AppointmentRows.values(of: stored))
    }

    func release(_ reservation: (some Reservation)?) -> Query<Int> {
        guard let reservation else { return .value(0) }
        let (salon, grains) = (reservation.booking.salonID, reservation.grains)
        let (first, end) = (grains.lowerBound, grains.upperBound)
        return Query(OccupancyRows.releaseAll, salon, first, end, reservation.id)
    }

    func take(_ move: WallClockMove, now: Timestamp, _ record: Query<Int>) throws {
        let resources = Resources(move.allocation, ofSeats: move.seats)
        let (grains, _, _) = try run(
            // No one else books at the salon, because its row is locked.
            OccupancyRows.take(resources, for: move.after, now: now, isSerialized: true),
            update(move.after),
            record
        )
        try require(grains, OccupancyRows.count(resources, for: move.after))
    }

    // MARK: Personal data

    private static let isCustomerTokenRevoked = SQL(
        "\(StoredToken.isRevoked.text) FOR SHARE"
    )
    var isCustomerTokenRevoked: SQL { Self.isCustomerTokenRevoked }

    private static let lockTokens = SQL(
        """
        WITH locked AS (SELECT id FROM tokens WHERE phone = $1 ORDER BY id FOR UPDATE)
        SELECT count(*) FROM locked
        """
    )
    func lockTokens(of caller: String) -> Query<Int> {
        Query(Self.lockTokens, caller, otherwise: 0)
    }

    private static let lockCaller = SQL(
        """
        INSERT INTO hold_callers (caller, used_at) VALUES ($1, \(DatabaseClock.sql(2)))
        ON CONFLICT (caller) DO UPDATE SET used_at = excluded.used_at
        """
    )
    /// Locks a caller. Each caller may have a limited number of holds and appointments, so two
    /// transactions must not count those of the same caller at the same time.
    ///
    /// A transaction locks the caller before all rows for which others wait while they have a caller
    /// locked: those of a salon in order to exclude its other bookings, of holds, keys, and times.
    func lock(caller: String) -> Query<Int> { Query(Self.lockCaller, caller, clock) }

    private static let deleteCaller = SQL("DELETE FROM hold_callers WHERE caller = $1")
    func deleteRest(of caller: String) -> Query<[Int]> {
        .all([Query(Self.deleteCaller, caller), KeyRows.deleteVoided(of: caller)])
    }

    private static let deleteOldAppointments = SQL(
        """
        DELETE FROM appointments USING (
            SELECT salon_id, id FROM appointments WHERE deleted_at < $1
            ORDER BY deleted_at LIMIT $2 FOR UPDATE SKIP LOCKED
        ) AS old
        WHERE (appointments.salon_id, appointments.id) = (old.salon_id, old.id)
        RETURNING change
        """
    )
    var deleteOldAppointments: SQL { Self.deleteOldAppointments }
}
