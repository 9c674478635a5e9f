import BookingStorage
import Contract
import Domain

/// Reads and writes the tables of idempotency keys: those that were used or voided in a salon, and
/// those that were voided in all salons.
enum KeyRows {
    /// What the database contains about a key.
    private static let columns = "method, path, body_fingerprint, result"
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
        INSERT INTO idempotency_keys (key, caller, salon_id, created_at, \(columns), appointment_id)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
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
    private static func touch(inSalon salon: String) -> SQL {
        SQL(
            """
            INSERT INTO idempotency_keys (key, caller, salon_id, created_at)
            SELECT $1, $2, \(salon), 0
            ON CONFLICT (key, caller, salon_id)
            DO UPDATE SET created_at = idempotency_keys.created_at
            RETURNING created_at > 0
            """
        )
    }
    private static let touchInSalon = touch(inSalon: "$3")
    private static let touchInSalonOfAppointment = touch(
        inSalon: "salon_id FROM appointments WHERE id = $3"
    )
    private static let lockForUse = SQL("LOCK TABLE idempotency_keys IN ROW EXCLUSIVE MODE")
    private static let lockForVoiding = SQL(
        "LOCK TABLE idempotency_keys IN SHARE ROW EXCLUSIVE MODE"
    )

    /// Must precede ``read(_:in:now:)`` in a transaction that uses a key. No key is voided in all
    /// salons between this and the end of the transaction. Other uses of keys are not excluded.
    static func prepare(_ request: KeyedRequest?) -> Query<Void> {
        request == nil ? .value(()) : Query(running: lockForUse)
    }

    /// Must precede the voiding of a key in all salons. Waits for the transactions that use any key.
    static var prepareVoiding: Query<Void> { Query(running: lockForVoiding) }

    /// Looks up a key that is used in a salon.
    static func read(
        _ key: IdempotencyKey?,
        in salon: SalonID,
        now: Timestamp?
    ) -> Query<KeyState> {
        guard let key else { return .value(.unused) }
        return Query(inSalon, key.text, key.caller, salon, now, rows: state)
    }

    /// Looks up a key that is used in the salon of an appointment.
    static func read(
        _ key: IdempotencyKey?,
        inSalonOfAppointment id: String,
        now: Timestamp?
    ) -> Query<KeyState> {
        guard let key else { return .value(.unused) }
        return Query(inSalonOfAppointment, key.text, key.caller, id, now, rows: state)
    }

    /// Looks up a use of a key in all salons.
    static func readUsed(_ key: IdempotencyKey, now: Timestamp?) -> Query<KeyState> {
        Query(usedInAnySalon, key.text, key.caller, now, rows: state)
    }

    /// Stores a key with its request and the result. Writes no row if a different transaction was
    /// faster.
    static func write(
        _ request: KeyedRequest?,
        result: StoredAppointment,
        now: Timestamp
    ) -> Query<Int> {
        guard let request else { return .value(1) }
        let json = String(decoding: StoredAppointmentCodec.encode(result), as: UTF8.self)
        return Query(
            insert,
            request.key.text,
            request.key.caller,
            result.booking.salonID,
            now,
            request.method,
            request.path,
            Int64(bitPattern: request.bodyFingerprint),
            json,
            request.changedAppointment(result)
        )
    }

    /// Stores that a key is voided in all salons. Returns false if it was before.
    static func voidInAllSalons(_ key: IdempotencyKey, now: Timestamp) -> Query<Bool> {
        Query(insertVoided, key.text, key.caller, now, rows: isTrue)
    }

    /// Stores that a key is voided in a salon. Writes no row if a different transaction was faster.
    static func void(_ key: IdempotencyKey, in salon: SalonID, now: Timestamp) -> Query<Int> {
        let null: String? = nil
        return Query(insert, key.text, key.caller, salon, now, null, null, null, null, null)
    }

    /// Waits for the end of each transaction that uses the key, and returns whether one of them has
    /// stored it. The transaction must be rolled back if not.
    static func touch(_ key: IdempotencyKey, in salon: SalonID) -> Query<Bool> {
        Query(touchInSalon, key.text, key.caller, salon, rows: isTrue)
    }

    /// The same in the salon of an appointment.
    static func touch(
        _ key: IdempotencyKey,
        inSalonOfAppointment id: String
    ) -> Query<Bool> {
        Query(touchInSalonOfAppointment, key.text, key.caller, id, rows: isTrue)
    }

    private static func isTrue(_ rows: [QueryResult.Row]) -> Bool {
        rows.first?.bool(0) ?? false
    }

    private static func state(from rows: [QueryResult.Row]) -> KeyState {
        guard let row = rows.first else { return .unused }
        if row.isNull(3) { return .voided }
        let result = row.text(3)
        if result.isEmpty { return .resultDeleted }
        return .used(
            method: row.text(0),
            path: row.text(1),
            bodyFingerprint: UInt64(bitPattern: row.integer(2)),
            try? StoredAppointmentCodec.decode(Array(result.utf8))
        )
    }
}
