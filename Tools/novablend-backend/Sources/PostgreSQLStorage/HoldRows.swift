import BookingStorage
import Domain

/// Reads and writes the table of holds, and that of their callers.
enum HoldRows {
    private static let columns = StoredHold.columns
    private static let insertedColumns = "\(StoredHold.insertedColumns), busy_start, busy_end"
    private static let insertRow = SQL(
        "INSERT INTO holds (\(insertedColumns)) VALUES (\(SQL.parameters(for: insertedColumns)))"
    )
    static let byID = SQL("SELECT \(columns) FROM holds WHERE id = $1 FOR UPDATE")
    static let activeOfCaller = SQL(
        """
        SELECT \(columns) FROM holds
        WHERE caller = $1 AND expires_at > \(DatabaseClock.sql(2)) ORDER BY expires_at
        """
    )
    static let activeWithKey = SQL(
        """
        SELECT \(KeyedHold.columns) FROM holds
        WHERE salon_id = $1 AND expires_at > \(DatabaseClock.sql(2))
            AND idempotency_key = $3 AND key_caller = $4
        """
    )
    private static let countActive = SQL(
        "SELECT count(*) FROM holds WHERE expires_at > \(DatabaseClock.sql(1))"
    )
    private static let lockCaller = SQL(
        """
        INSERT INTO hold_callers (caller, used_at) VALUES ($1, \(DatabaseClock.sql(2)))
        ON CONFLICT (caller) DO UPDATE SET used_at = excluded.used_at
        """
    )

    static func insert(_ hold: StoredHold, as request: KeyedRequest?) -> Query<Int> {
        let values = hold.values(of: request) + [hold.interval.start, hold.interval.end]
        return Query(insertRow, values: values)
    }

    /// Stores that a hold has ended. Its row is still needed, because it is remembered for a day.
    static func end(_ id: String?, now: Timestamp) -> Query<Int> {
        id.map { Query(StoredHold.end, $0, now) } ?? .value(0)
    }

    /// Reads a hold and locks it until the end of the transaction.
    static func lock(_ id: String?) -> Query<StoredHold?> {
        id.map { Query(byID, $0) } ?? .value(nil)
    }

    /// Excludes other holds of the caller until the end of the transaction, because their number is
    /// limited.
    static func lock(caller: String, now: Timestamp?) -> Query<Int> {
        Query(lockCaller, caller, now)
    }

    /// The active holds of a caller, by their expiry.
    static func active(of caller: String, now: Timestamp?) -> Query<[StoredHold]> {
        Query(activeOfCaller, caller, now)
    }

    /// The active hold that the key of a request has made in a salon.
    static func active(
        with key: IdempotencyKey?,
        in salon: SalonID,
        now: Timestamp?
    ) -> Query<KeyedHold?> {
        guard let key else { return .value(nil) }
        return Query(activeWithKey, salon, now, key.text, key.caller)
    }

    /// The number of all active holds.
    static func activeCount(now: Timestamp?) -> Query<Int> { Query(countActive, now, otherwise: 0) }
}
