import BookingStorage
import Contract
import Domain

/// Reads and writes the table of idempotency keys.
enum KeyRows {
    /// What the database contains about a key.
    private static let columns = "method, path, body_fingerprint, result"
    /// The empty salon id is that of a key that was voided in all salons. The plus lets SQLite compare
    /// the few rows of the key, instead of making a temporary table of the two ids.
    private static let inSalon = SQL(
        """
        SELECT \(columns) FROM idempotency_keys
        WHERE key = ?1 AND caller = ?2 AND +salon_id IN (?3, '') LIMIT 1
        """
    )
    private static let inAnySalon = SQL(
        """
        SELECT \(columns) FROM idempotency_keys WHERE key = ?1 AND caller = ?2
        ORDER BY result IS NULL LIMIT 1
        """
    )
    private static let insert = SQL(
        """
        INSERT INTO idempotency_keys (key, caller, salon_id, created_at, \(columns), appointment_id)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
        ON CONFLICT DO NOTHING
        """
    )
    static let deleteExpired = SQL(
        """
        DELETE FROM idempotency_keys
        WHERE number < (SELECT min(number) FROM idempotency_keys) + ?2 AND created_at < ?1
        """
    )
    private static let expiredCount = SQL(
        "SELECT count(*) FROM idempotency_keys WHERE created_at < ?1"
    )

    /// Looks up a key, in all salons if `salon` is nil. An expired key remains valid until it is
    /// deleted, so it is still safe to repeat its request.
    static func read(
        _ key: IdempotencyKey,
        in salon: SalonID?,
        _ database: Database
    ) throws(StorageFailure) -> KeyState {
        try database.first(salon == nil ? inAnySalon : inSalon) { row in
            row.bind(1, key.text)
            row.bind(2, key.caller)
            if let salon { row.bind(3, salon.description) }
        } _: { row in
            state(from: row)
        } ?? .unused
    }

    private static func state(from row: Statement) -> KeyState {
        if row.isNull(3) { return .voided }
        let result = row.bytes(3)
        if result.isEmpty { return .resultDeleted }
        return .used(
            method: row.text(0),
            path: row.text(1),
            bodyFingerprint: UInt64(bitPattern: row.integer(2)),
            try? StoredAppointmentCodec.decode(result)
        )
    }

    /// Stores a key with its request and the result.
    static func write(
        _ request: KeyedRequest,
        result: StoredAppointment,
        now: Timestamp,
        in database: Database
    ) throws(StorageFailure) {
        let json = String(decoding: StoredAppointmentCodec.encode(result), as: UTF8.self)
        try write(request.key, in: result.booking.salonID.description, now, database) { row in
            row.bind(5, request.method)
            row.bind(6, request.path)
            row.bind(7, Int64(bitPattern: request.bodyFingerprint))
            row.bind(8, json)
            row.bind(9, request.changedAppointment(result))
        }
    }

    /// Stores that a key is voided, in all salons if `salon` is nil.
    static func void(
        _ key: IdempotencyKey,
        in salon: SalonID?,
        now: Timestamp,
        _ database: Database
    ) throws(StorageFailure) {
        // Parameters without a value are NULL.
        try write(key, in: salon?.description ?? "", now, database) { _ in }
    }

    private static func write(
        _ key: IdempotencyKey,
        in salon: String,
        _ now: Timestamp,
        _ database: Database,
        _ bind: (Statement) -> Void
    ) throws(StorageFailure) {
        try database.run(insert) { row in
            row.bind(1, key.text)
            row.bind(2, key.caller)
            row.bind(3, salon)
            row.bind(4, now.secondsSince1970)
            bind(row)
        }
    }

    /// Deletes the expired ones of the `count` oldest keys, and returns their number.
    @discardableResult
    static func deleteExpired(
        amongOldest count: Int64,
        now: Timestamp,
        in database: Database
    ) throws(StorageFailure) -> Int {
        try database.run(deleteExpired) { row in
            row.bind(1, oldestRetained(now))
            row.bind(2, count)
        }
        return database.changedRows
    }

    /// The number of expired keys. It reads all keys.
    static func expiredCount(now: Timestamp, in database: Database) throws(StorageFailure) -> Int {
        try database.count(expiredCount) { $0.bind(1, oldestRetained(now)) }
    }

    private static func oldestRetained(_ now: Timestamp) -> Int64 {
        now.advanced(bySeconds: -IdempotencyKey.retentionSeconds).secondsSince1970
    }
}
