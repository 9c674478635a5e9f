import BookingStorage
import Domain

extension WriteTransaction {
    // Rows that a different transaction uses are left for the next time. The limits keep the
    // transaction short.
    static let pastGrains = SQL(
        """
        DELETE FROM occupancy USING (
            SELECT salon_id, grain, resource FROM occupancy
            WHERE salon_id = ANY ($1::text[]) AND grain < $2
            LIMIT 10000 FOR UPDATE SKIP LOCKED
        ) AS past
        WHERE (occupancy.salon_id, occupancy.grain, occupancy.resource)
            = (past.salon_id, past.grain, past.resource)
        """
    )
    static let endedHolds = SQL(
        """
        WITH ended AS (
            DELETE FROM holds USING (
                SELECT salon_id, id FROM holds WHERE expires_at < $1
                LIMIT $2 FOR UPDATE SKIP LOCKED
            ) AS old
            WHERE (holds.salon_id, holds.id) = (old.salon_id, old.id)
            RETURNING caller
        ), callers AS (
            DELETE FROM hold_callers
            WHERE caller IN (SELECT caller FROM ended) AND used_at < $1
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
    static let expiredVoidedKeys = SQL("DELETE FROM voided_keys WHERE created_at < $1")
    private static let rowsPerSweep = 1_000
    /// For what may be lost, because it will be repeated.
    static let withoutSync = SQL("SET LOCAL synchronous_commit = off")

    /// Deletes what has expired, and the occupied grains of `salons` that are in the past.
    func sweep(_ salons: Set<SalonID>) throws {
        let (_, _, now) = try connection.run(
            begin,
            Query<Void>(running: Self.withoutSync),
            DatabaseClock.now(clock)
        )
        hasChanges = true
        _ = try connection.run(Query<Int>(Self.pastGrains, SQLArray(salons), now.grain))
        _ = try deleteHoldsAndKeys(limit: Self.rowsPerSweep, now)
    }

    /// Deletes at most `limit` holds and `limit` used keys that have expired, and all voided keys that
    /// have. Returns the numbers.
    func deleteHoldsAndKeys(limit: Int, _ now: Timestamp) throws -> ExpiredRows {
        let oldestHold = now.advanced(bySeconds: -StoredHold.retentionSeconds)
        let oldestKey = now.advanced(bySeconds: -IdempotencyKey.retentionSeconds)
        let (holds, keys, voidedKeys) = try connection.run(
            Query(Self.endedHolds, oldestHold, limit, rows: { $0.first?.integer(0) ?? 0 }),
            Query<Int>(Self.expiredKeys, oldestKey, limit),
            Query<Int>(Self.expiredVoidedKeys, oldestKey)
        )
        var deleted = ExpiredRows()
        (deleted.holds, deleted.keys) = (Int(clamping: holds), keys + voidedKeys)
        return deleted
    }
}
