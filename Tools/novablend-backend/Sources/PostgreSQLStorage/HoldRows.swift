import BookingStorage
import Domain

/// Reads and writes the table of holds, and that of their callers.
enum HoldRows {
    static let columns = """
        id, caller, salon_id, instant, offset_minutes, minutes, buffer_before, buffer_after, phone,
        service_id, staff_id, staff_assigned, seats, expires_at
        """
    private static let insertRow = SQL(
        """
        INSERT INTO holds
            (\(columns), idempotency_key, key_caller, body_fingerprint, busy_start, busy_end)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18,
            $19)
        """
    )
    private static let setEnd = SQL("UPDATE holds SET expires_at = $2 WHERE id = $1")
    static let byID = SQL("SELECT \(columns) FROM holds WHERE id = $1 FOR UPDATE")
    static let activeOfCaller = SQL(
        """
        SELECT \(columns) FROM holds
        WHERE caller = $1 AND expires_at > \(DatabaseClock.sql(2)) ORDER BY expires_at
        """
    )
    static let activeWithKey = SQL(
        """
        SELECT \(columns), body_fingerprint FROM holds
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
        let booking = hold.booking
        return Query(
            insertRow,
            hold.id,
            hold.caller,
            booking.salonID,
            booking.time.instant,
            booking.time.offsetMinutes,
            hold.minutes,
            hold.bufferBefore,
            hold.bufferAfter,
            booking.phone,
            booking.options.serviceID,
            booking.options.staffID,
            hold.isStaffAssigned,
            booking.options.seats,
            hold.expiresAt,
            request?.key.text,
            request?.key.caller ?? "",
            request.map { Int64(bitPattern: $0.bodyFingerprint) },
            hold.interval.start,
            hold.interval.end
        )
    }

    /// Stores that a hold has ended. Its row is still needed, because it is remembered for a day.
    static func end(_ id: String?, now: Timestamp) -> Query<Int> {
        id.map { Query(setEnd, $0, now) } ?? .value(0)
    }

    /// Reads a hold and locks it until the end of the transaction.
    static func lock(_ id: String?) -> Query<StoredHold?> {
        id.map { Query(byID, $0, firstRow: hold) } ?? .value(nil)
    }

    /// Excludes other holds of the caller until the end of the transaction, because their number is
    /// limited.
    static func lock(caller: String, now: Timestamp?) -> Query<Int> {
        Query(lockCaller, caller, now)
    }

    /// The active holds of a caller, by their expiry.
    static func active(of caller: String, now: Timestamp?) -> Query<[StoredHold]> {
        Query(activeOfCaller, caller, now, eachRow: hold)
    }

    /// The active hold that the key of a request has made in a salon, and the body that made it.
    static func active(
        with key: IdempotencyKey?,
        in salon: SalonID,
        now: Timestamp?
    ) -> Query<(hold: StoredHold, bodyFingerprint: UInt64)?> {
        guard let key else { return .value(nil) }
        return Query(
            activeWithKey,
            salon,
            now,
            key.text,
            key.caller,
            firstRow: { row throws(DatabaseError) in
                (try hold(from: row), UInt64(bitPattern: row.integer(14)))
            }
        )
    }

    /// The number of all active holds.
    static func activeCount(now: Timestamp?) -> Query<Int> {
        Query(
            countActive,
            now,
            rows: { rows throws(DatabaseError) in Int(clamping: rows.first?.integer(0) ?? 0) }
        )
    }

    static func hold(from row: QueryResult.Row) throws(DatabaseError) -> StoredHold {
        guard let salonID = row.salonID(2) else { throw .corrupted("a stored hold is invalid") }
        let time = AppointmentTime(
            instant: row.timestamp(3),
            offsetMinutes: Int(clamping: row.integer(4))
        )
        let options = BookingOptions(
            serviceID: row.optionalText(9),
            staffID: row.optionalText(10),
            seats: Int(clamping: row.integer(12))
        )
        return StoredHold(
            id: row.text(0),
            caller: row.text(1),
            booking: BookingRequest(
                salonID: salonID,
                time: time,
                phone: row.text(8),
                options: options
            ),
            minutes: Int(clamping: row.integer(5)),
            bufferBefore: Int(clamping: row.integer(6)),
            bufferAfter: Int(clamping: row.integer(7)),
            isStaffAssigned: row.bool(11),
            expiresAt: row.timestamp(13)
        )
    }
}
