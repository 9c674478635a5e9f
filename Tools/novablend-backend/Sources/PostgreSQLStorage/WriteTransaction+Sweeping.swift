import BookingStorage
import Domain

extension WriteTransaction {
    // These statements skip rows that a different transaction uses; a later sweep deletes them. The
    // limits keep the transaction short.

    /// The grains of a salon are deleted only while its row is locked. A booking locks it, too, before
    /// it reads what is taken. So each booking sees either these rows or the appointments to which they
    /// belonged, whatever the clock shows.
    static let pastGrains = SQL(
        """
        WITH unused AS (
            SELECT id FROM salons WHERE id = ANY ($1::text[]) FOR UPDATE SKIP LOCKED
        ), past AS (
            SELECT occupancy.ctid AS place FROM occupancy JOIN unused ON salon_id = unused.id
            WHERE grain < $2 LIMIT \(grainsPerSweep) FOR UPDATE OF occupancy SKIP LOCKED
        )
        DELETE FROM occupancy WHERE ctid = ANY (ARRAY(SELECT place FROM past))
        """
    )
    static let grainsPerSweep = 2_000
    /// Deletes ended holds and their grains. If the grains remained, they would seem to be taken if
    /// the clock was ahead and has been corrected.
    static let endedHolds = SQL(
        """
        WITH ended AS (
            DELETE FROM holds USING (
                SELECT salon_id, id FROM holds WHERE expires_at < $1
                LIMIT $2 FOR UPDATE SKIP LOCKED
            ) AS old
            WHERE (holds.salon_id, holds.id) = (old.salon_id, old.id)
            RETURNING holds.salon_id, holds.id, busy_start, busy_end
        ), held AS (
            SELECT occupancy.ctid AS place FROM occupancy JOIN ended USING (salon_id)
            WHERE grain >= busy_start / 300 - 1 AND grain <= busy_end / 300 AND owner = ended.id
            FOR UPDATE OF occupancy SKIP LOCKED
        ), grains AS (
            DELETE FROM occupancy WHERE ctid = ANY (ARRAY(SELECT place FROM held))
        )
        SELECT count(*) FROM ended
        """
    )
    static let expiredKeys = SQL(
        """
        DELETE FROM idempotency_keys USING (
            SELECT key, caller, salon_id FROM idempotency_keys WHERE created_at < $1
            LIMIT $2 FOR UPDATE SKIP LOCKED
        ) AS old
        WHERE (idempotency_keys.key, idempotency_keys.caller, idempotency_keys.salon_id)
            = (old.key, old.caller, old.salon_id)
        """
    )
    static let expiredVoidedKeys = SQL(
        """
        DELETE FROM voided_keys USING (
            SELECT key, caller FROM voided_keys WHERE created_at < $1
            LIMIT $2 FOR UPDATE SKIP LOCKED
        ) AS old
        WHERE (voided_keys.key, voided_keys.caller) = (old.key, old.caller)
        """
    )
    /// Deletes the rows of callers that no transaction has locked for a day.
    static let unusedCallers = SQL(
        """
        DELETE FROM hold_callers USING (
            SELECT caller FROM hold_callers WHERE used_at < $1
            ORDER BY used_at LIMIT $2 FOR UPDATE SKIP LOCKED
        ) AS old
        WHERE hold_callers.caller = old.caller
        """
    )
    private static let rowsPerSweep = 1_000
    /// For changes that a crash may undo, because they will be made again.
    static let withoutSync = SQL("SET LOCAL synchronous_commit = off")

    /// Deletes what has expired, and the occupied grains of `salons` that are in the past. Does nothing
    /// while the clock is not steady. Returns whether there may be more of these grains.
    func sweep(_ salons: Set<SalonID>, _ clock: ClockMonitor) throws -> Bool {
        let (_, now) = try run(Query<Void>(running: Self.withoutSync), currentTime)
        guard try isClockSteady(clock, now) else { return false }
        _ = try deleteHoldsAndKeys(limit: Self.rowsPerSweep, now)
        // This comes last, because bookings at these salons wait from here on until the commit.
        let past = Query<Int>(Self.pastGrains, SQLArray(salons), now.grain)
        return try run(past) == Self.grainsPerSweep
    }

    /// Deletes at most `limit` holds, `limit` used keys, and `limit` voided keys that have expired.
    /// Returns how many were deleted.
    func deleteHoldsAndKeys(limit: Int, _ now: Timestamp) throws -> ExpiredRows {
        let oldestHold = now.advanced(bySeconds: -StoredHold.retentionSeconds)
        let oldestKey = now.advanced(bySeconds: -IdempotencyKey.retentionSeconds)
        let (holds, _, keys, voidedKeys) = try run(
            Query<Int>(Self.endedHolds, oldestHold, limit, otherwise: 0),
            Query<Int>(Self.unusedCallers, oldestHold, limit),
            Query<Int>(Self.expiredKeys, oldestKey, limit),
            Query<Int>(Self.expiredVoidedKeys, oldestKey, limit)
        )
        var deleted = ExpiredRows()
        (deleted.holds, deleted.keys) = (holds, keys + voidedKeys)
        return deleted
    }
}
