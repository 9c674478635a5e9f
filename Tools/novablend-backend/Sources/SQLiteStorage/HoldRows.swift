import BookingStorage
import Domain

/// Reads and writes the table of holds.
enum HoldRows {
    static let columns = """
        id, caller, salon_id, instant, offset_minutes, minutes, buffer_before, buffer_after, phone,
        service_id, staff_id, staff_assigned, seats, expires_at
        """
    private static let insert = SQL(
        """
        INSERT INTO holds (\(columns), idempotency_key, key_caller, body_fingerprint)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17)
        """
    )
    private static let end = SQL("UPDATE holds SET expires_at = ?2 WHERE id = ?1")
    private static let delete = SQL("DELETE FROM holds WHERE id = ?1")
    static let byID = SQL("SELECT \(columns) FROM holds WHERE id = ?1")
    static let active = SQL(
        """
        SELECT \(columns) FROM holds WHERE caller = ?1 AND expires_at > ?2 ORDER BY expires_at
        """
    )
    static let activeWithKey = SQL(
        """
        SELECT \(columns), body_fingerprint FROM holds
        WHERE salon_id = ?1 AND expires_at > ?2 AND idempotency_key = ?3 AND key_caller = ?4
        """
    )
    private static let activeCount = SQL("SELECT COUNT(*) FROM holds WHERE expires_at > ?1")
    private static let expiredCount = SQL("SELECT COUNT(*) FROM holds WHERE expires_at < ?1")
    private static let oldest = SQL("SELECT \(columns) FROM holds ORDER BY number LIMIT ?1")

    /// Returns the number of the row.
    static func insert(
        _ hold: StoredHold,
        as request: KeyedRequest?,
        in database: Database
    ) throws(StorageFailure) -> Int64 {
        try database.run(insert) { row in
            let booking = hold.booking
            row.bind(1, hold.id)
            row.bind(2, hold.caller)
            row.bind(3, booking.salonID.description)
            row.bind(4, booking.time.instant.secondsSince1970)
            row.bind(5, Int64(booking.time.offsetMinutes))
            row.bind(6, Int64(hold.minutes))
            row.bind(7, Int64(hold.bufferBefore))
            row.bind(8, Int64(hold.bufferAfter))
            row.bind(9, booking.phone)
            row.bind(10, booking.options.serviceID)
            row.bind(11, booking.options.staffID)
            row.bind(12, hold.isStaffAssigned ? 1 : 0)
            row.bind(13, Int64(booking.options.seats))
            row.bind(14, hold.expiresAt.secondsSince1970)
            row.bind(15, request?.key.text)
            row.bind(16, request?.key.caller ?? "")
            if let request { row.bind(17, Int64(bitPattern: request.bodyFingerprint)) }
        }
        return database.lastRowID
    }

    /// Stores that a hold has ended. Its row is still needed, because it is remembered for a day.
    static func end(
        _ id: String,
        now: Timestamp,
        in database: Database
    ) throws(StorageFailure) {
        try database.run(end) { row in
            row.bind(1, id)
            row.bind(2, now.secondsSince1970)
        }
    }

    static func read(_ id: String, in database: Database) throws(StorageFailure) -> StoredHold? {
        let found = try database.first(byID) {
            $0.bind(1, id)
        } _: {
            hold(from: $0)
        }
        guard let found else { return nil }
        return try valid(found)
    }

    /// The active holds of a caller, by their expiry.
    static func active(
        of caller: String,
        now: Timestamp,
        in database: Database
    ) throws(StorageFailure) -> [StoredHold] {
        let found = try database.rows(active) { row in
            row.bind(1, caller)
            row.bind(2, now.secondsSince1970)
        } _: {
            hold(from: $0)
        }
        return try found.map(valid)
    }

    /// The active hold that a key has made in a salon, and the body that made it.
    static func active(
        with key: IdempotencyKey,
        in salon: SalonID,
        now: Timestamp,
        _ database: Database
    ) throws(StorageFailure) -> (hold: StoredHold, bodyFingerprint: UInt64)? {
        let found = try database.first(activeWithKey) { row in
            row.bind(1, salon.description)
            row.bind(2, now.secondsSince1970)
            row.bind(3, key.text)
            row.bind(4, key.caller)
        } _: {
            (hold(from: $0), UInt64(bitPattern: $0.integer(14)))
        }
        guard let found else { return nil }
        return (try valid(found.0), found.1)
    }

    /// The number of holds of all callers that have not expired. It reads all holds of about a day.
    static func activeCount(
        now: Timestamp,
        in database: Database
    ) throws(StorageFailure) -> Int {
        try database.count(activeCount) { $0.bind(1, now.secondsSince1970) }
    }

    /// The number of holds that are no longer remembered. It reads all holds.
    static func expiredCount(now: Timestamp, in database: Database) throws(StorageFailure) -> Int {
        try database.count(expiredCount) { $0.bind(1, oldestRetained(now).secondsSince1970) }
    }

    /// Deletes those of the `count` oldest holds that are no longer remembered, and returns their
    /// number. Each new hold does this with two. So they do not accumulate, and no request waits for
    /// a long deletion.
    @discardableResult
    static func deleteExpired(
        amongOldest count: Int,
        now: Timestamp,
        in database: Database
    ) throws(StorageFailure) -> Int {
        let found = try database.rows(oldest, { $0.bind(1, Int64(count)) }, hold)
        var deleted = 0
        for found in found {
            let hold = try valid(found)
            if hold.expiresAt >= oldestRetained(now) { continue }
            try delete(hold, in: database)
            deleted += 1
        }
        return deleted
    }

    private static func oldestRetained(_ now: Timestamp) -> Timestamp {
        now.advanced(bySeconds: -StoredHold.retentionSeconds)
    }

    /// Deletes a hold with its grains.
    static func delete(_ hold: StoredHold, in database: Database) throws(StorageFailure) {
        try OccupancyRows.release(hold, in: database)
        try database.run(delete) { $0.bind(1, hold.id) }
    }

    /// Nil if the row is invalid.
    static func hold(from row: Statement) -> StoredHold? {
        guard let salonID = row.withBytes(2, { SalonID(utf8: $0) }) else { return nil }
        let time = AppointmentTime(
            instant: Timestamp(secondsSince1970: row.integer(3)),
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
            isStaffAssigned: row.integer(11) != 0,
            expiresAt: Timestamp(secondsSince1970: row.integer(13))
        )
    }

    static func valid(_ found: StoredHold?) throws(StorageFailure) -> StoredHold {
        guard let found else { throw StorageFailure(.corrupted, "a stored hold is invalid") }
        return found
    }
}
