import BookingStorage
import Domain

/// Reads and writes the table of idempotency keys.
enum KeyRows {
    private static let columns = KeyState.columns
    /// The empty salon id is that of a key that was voided in all salons. The plus lets SQLite compare
    /// the few rows of the key, instead of making a temporary table of the two ids.
    private static let inSalon = SQL(
        """
        SELECT \(columns) FROM idempotency_keys
        WHERE key = $1 AND caller = $2 AND +salon_id IN ($3, '') LIMIT 1
        """
    )
    private static let inAnySalon = SQL(
        """
        SELECT \(columns) FROM idempotency_keys WHERE key = $1 AND caller = $2
        ORDER BY result IS NULL LIMIT 1
        """
    )
    private static let insert = SQL(
        """
        INSERT INTO idempotency_keys (\(KeyState.insertedColumns))
        VALUES (\(SQL.parameters(for: KeyState.insertedColumns))) ON CONFLICT DO NOTHING
        """
    )
    static let deleteExpired = SQL(
        """
        DELETE FROM idempotency_keys
        WHERE number < (SELECT min(number) FROM idempotency_keys) + $2 AND created_at < $1
        """
    )

    /// Looks up a key, in all salons if `salon` is nil. An expired key remains valid until it is
    /// deleted, so it is still safe to repeat its request.
    static func read(_ key: IdempotencyKey, in salon: SalonID?) -> Query<KeyState> {
        guard let salon else {
            return Query(inAnySalon, key.text, key.caller, otherwise: .unused)
        }
        return Query(inSalon, key.text, key.caller, salon, otherwise: .unused)
    }

    /// Stores a key with its request and the result.
    static func write(
        _ request: KeyedRequest,
        result: StoredAppointment,
        now: Timestamp
    ) -> Query<Int> {
        Query(insert, values: request.values(of: result, now: now))
    }

    /// Stores that a key is voided, in all salons if `salon` is nil. Writes no row if it was voided
    /// already.
    static func void(_ key: IdempotencyKey, in salon: SalonID?, now: Timestamp) -> Query<Int> {
        // Parameters without a value are NULL.
        Query(insert, key.text, key.caller, salon?.description ?? "", now)
    }

    /// Deletes the expired ones of the `count` oldest keys.
    static func deleteExpired(amongOldest count: Int, now: Timestamp) -> Query<Int> {
        let oldest = now.advanced(bySeconds: -IdempotencyKey.retentionSeconds)
        return Query(deleteExpired, oldest, count)
    }
}
