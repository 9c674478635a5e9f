import BookingStorage
import Domain

/// Reads and writes the table of holds.
enum HoldRows {
    private static let columns = StoredHold.columns
    private static let insert = SQL(
        """
        INSERT INTO holds (\(StoredHold.insertedColumns))
        VALUES (\(SQL.parameters(for: StoredHold.insertedColumns)))
        """
    )
    private static let delete = SQL("DELETE FROM holds WHERE id = $1")
    static let byID = SQL("SELECT \(columns) FROM holds WHERE id = $1")
    /// The active holds of a caller, by their expiry.
    static let active = SQL(
        """
        SELECT \(columns) FROM holds WHERE caller = $1 AND expires_at > $2 ORDER BY expires_at
        """
    )
    static let activeWithKey = SQL(
        """
        SELECT \(KeyedHold.columns) FROM holds
        WHERE salon_id = $1 AND expires_at > $2 AND idempotency_key = $3 AND key_caller = $4
        """
    )
    /// The number of holds of all callers that have not expired. It reads all holds of about a day.
    static let activeCount = SQL("SELECT count(*) FROM holds WHERE expires_at > $1")
    private static let oldest = SQL("SELECT \(columns) FROM holds ORDER BY number LIMIT $1")

    /// Returns the number of the row.
    static func insert(
        _ hold: StoredHold,
        as request: KeyedRequest?,
        in database: Database
    ) throws(StorageFailure) -> Int64 {
        try database.run(insert, values: hold.values(of: request))
        return database.lastRowID
    }

    /// The active hold that a key has made in a salon.
    static func active(
        with key: IdempotencyKey,
        in salon: SalonID,
        now: Timestamp,
        _ database: Database
    ) throws(StorageFailure) -> KeyedHold? {
        try database.first(activeWithKey, salon, now, key.text, key.caller)
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
        let found: [StoredHold] = try database.rows(oldest, count)
        let earliest = now.advanced(bySeconds: -StoredHold.retentionSeconds)
        let expired = found.filter { $0.expiresAt < earliest }
        for hold in expired { try delete(hold, in: database) }
        return expired.count
    }

    /// Deletes a hold with its grains.
    static func delete(_ hold: StoredHold, in database: Database) throws(StorageFailure) {
        try OccupancyRows.release(hold, in: database)
        try database.run(delete, hold.id)
    }
}
