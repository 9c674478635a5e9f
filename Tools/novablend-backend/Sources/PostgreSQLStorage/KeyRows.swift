import BookingStorage
import Domain

/// Reads and writes the tables of idempotency keys: those that were used or voided in a salon, and
/// those that were voided in all salons.
enum KeyRows {
    /// What the database contains about a key.
    private static let columns = KeyState.columns
    private static func isRetained(_ now: Int) -> String {
        "created_at >= \(DatabaseClock.sql(now)) - \(IdempotencyKey.retentionSeconds)"
    }

    private static func read(inSalon salon: String) -> SQL {
        SQL(
            """
            SELECT \(columns) FROM idempotency_keys
            WHERE key = $1 AND caller = $2 AND salon_id = \(salon) AND \(isRetained(4))
            UNION ALL
            SELECT NULL, NULL, NULL, NULL FROM voided_keys
            WHERE key = $1 AND caller = $2 AND \(isRetained(4))
            LIMIT 1
            """
        )
    }
    private static let inSalon = read(inSalon: "$3")
    private static let inSalonOfAppointment = read(
        inSalon: "(SELECT salon_id FROM appointments WHERE id = $3)"
    )
    private static let usedInAnySalon = SQL(
        """
        SELECT \(columns) FROM idempotency_keys
        WHERE key = $1 AND caller = $2 AND result IS NOT NULL AND \(isRetained(3)) LIMIT 1
        """
    )
    private static let insert = SQL(
        """
        INSERT INTO idempotency_keys (\(KeyState.insertedColumns))
        VALUES (\(SQL.parameters(for: KeyState.insertedColumns)))
        ON CONFLICT (key, caller, salon_id) DO UPDATE SET
            (created_at, \(columns), appointment_id) = ROW (excluded.created_at, excluded.method,
                excluded.path, excluded.body_fingerprint, excluded.result, excluded.appointment_id)
        WHERE idempotency_keys.created_at < $4 - \(IdempotencyKey.retentionSeconds)
        """
    )
    private static let insertVoided = SQL(
        """
        INSERT INTO voided_keys (key, caller, created_at) VALUES ($1, $2, $3)
        ON CONFLICT (key, caller) DO UPDATE SET created_at = excluded.created_at
        RETURNING xmax = 0
        """
    )
    private static let deleteVoidedKeys = SQL("DELETE FROM voided_keys WHERE caller = $1")
    private static func touch(inSalon salon: String, _ source: String = "") -> SQL {
        SQL(
            """
            INSERT INTO idempotency_keys (key, caller, salon_id, created_at)
            SELECT $1, $2, \(salon), 0 \(source)
            ON CONFLICT (key, caller, salon_id)
            DO UPDATE SET created_at = idempotency_keys.created_at
            RETURNING created_at > 0
            """
        )
    }
    private static let touchInSalon = touch(inSalon: "$3")
    private static let touchInSalonOfAppointment = touch(
        inSalon: "salon_id",
        "FROM appointments WHERE id = $3"
    )
    private static let lockForUse = SQL("LOCK TABLE idempotency_keys IN ROW EXCLUSIVE MODE")
    private static let lockForVoiding = SQL(
        "LOCK TABLE idempotency_keys IN SHARE ROW EXCLUSIVE MODE"
    )

    /// Must precede ``read(_:in:now:)`` in a transaction that uses a key. No key is voided in all
    /// salons between this and the end of the transaction. Other uses of keys are not excluded.
    static func prepare(_ request: KeyedRequest?) -> Query<Void> {
        request == nil ? .value(()) : Query<Void>(running: lockForUse)
    }

    /// Must precede the voiding of a key in all salons. Waits for the transactions that use any key.
    static var prepareVoiding: Query<Void> { Query(running: lockForVoiding) }

    /// Looks up a key that is used in a salon.
    static func read(
        _ key: IdempotencyKey?,
        in place: SalonPlace,
        now: Timestamp?
    ) -> Query<KeyState> {
        guard let key else { return .value(.unused) }
        let sql = place.choose(inSalon, inSalonOfAppointment)
        return Query(sql, key.text, key.caller, place, now, otherwise: .unused)
    }

    /// Looks up a use of a key in all salons.
    static func readUsed(_ key: IdempotencyKey, now: Timestamp?) -> Query<KeyState> {
        Query(usedInAnySalon, key.text, key.caller, now, otherwise: .unused)
    }

    /// Stores a key with its request and the result. Writes no row if a different transaction was
    /// faster.
    static func write(
        _ request: KeyedRequest?,
        result: StoredAppointment,
        now: Timestamp
    ) -> Query<Int> {
        guard let request else { return .value(1) }
        return Query(insert, values: request.values(of: result, now: now))
    }

    /// Deletes the keys that the customer, identified by a token, has voided in all salons. Reads
    /// the whole table.
    static func deleteVoided(of caller: String) -> Query<Int> {
        Query(deleteVoidedKeys, Principal.identity(ofCustomer: caller))
    }

    /// Stores that a key is voided in all salons. Returns false if it was voided already.
    static func voidInAllSalons(_ key: IdempotencyKey, now: Timestamp) -> Query<Bool> {
        Query(insertVoided, key.text, key.caller, now, otherwise: false)
    }

    /// Stores that a key is voided in a salon. Writes no row if a different transaction was faster.
    static func void(_ key: IdempotencyKey, in salon: SalonID, now: Timestamp) -> Query<Int> {
        let null: String? = nil
        return Query(insert, key.text, key.caller, salon, now, null, null, null, null, null)
    }

    /// Waits for the end of each transaction that uses the key, and returns whether one of them has
    /// stored it. If not, the transaction that calls this must be rolled back.
    static func touch(_ key: IdempotencyKey, in place: SalonPlace) -> Query<Bool> {
        let sql = place.choose(touchInSalon, touchInSalonOfAppointment)
        return Query(sql, key.text, key.caller, place, otherwise: false)
    }
}
