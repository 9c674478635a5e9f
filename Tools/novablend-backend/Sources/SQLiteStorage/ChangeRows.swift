import BookingStorage
import Domain

/// Reads what has changed in the tables of salons and appointments.
///
/// Each change of a row gives it the next number, inside the transaction of the change. Because
/// SQLite has one writer at a time, whichever process it belongs to, the numbers have the order of
/// the commits. If a row of these tables were deleted, its number could be used again, so that
/// would need a new epoch.
enum ChangeRows {
    private static let lastNumber = """
        max(
            ifnull((SELECT max(change) FROM appointments), 0),
            ifnull((SELECT max(change) FROM salons), 0)
        )
        """
    /// The number for a change, as an SQL expression.
    static let nextNumber = "1 + \(lastNumber)"

    static let latest = SQL("SELECT epoch, \(lastNumber) FROM change_feed")

    /// The first `limit` elements that have changed after a position, or only the position of the
    /// last change if it is nil. Returns nil if the position does not belong to this history.
    static func page(
        after cursor: ChangeCursor?,
        limit: Int,
        in database: Database,
        _ cache: DecodedSalonCache
    ) throws(StorageFailure) -> ChangePage? {
        try database.readTransaction { () throws(StorageFailure) in
            let latest = try latest(in: database)
            guard let cursor else { return ChangePage(changes: [], cursor: latest) }
            guard cursor.epoch == latest.epoch, cursor.number <= latest.number else { return nil }
            if cursor == latest { return ChangePage(changes: [], cursor: latest) }
            // One more than the page has room for, to know whether there are more.
            let changes = try changes(after: cursor, limit + 1, database, cache)
            let page = Array(changes.prefix(limit))
            let isLast = page.count == changes.count
            return ChangePage(
                changes: page,
                cursor: isLast ? latest : page.last?.cursor ?? cursor
            )
        }
    }

    private static func latest(in database: Database) throws(StorageFailure) -> ChangeCursor {
        let latest = try database.first(latest) {
            _ in
        } _: {
            ChangeCursor(epoch: $0.text(0), number: $0.integer(1))
        }
        guard let latest else {
            throw StorageFailure(.corrupted, "the epoch of the changes is missing")
        }
        return latest
    }

    private static func changes(
        after cursor: ChangeCursor,
        _ limit: Int,
        _ database: Database,
        _ cache: DecodedSalonCache
    ) throws(StorageFailure) -> [StoredChange] {
        func change(_ number: Int64, _ element: StoredChange.Element) -> StoredChange {
            let cursor = ChangeCursor(epoch: cursor.epoch, number: number)
            return StoredChange(cursor: cursor, element: element)
        }
        let appointments = try AppointmentRows.changed(
            after: cursor.number,
            limit: limit,
            in: database
        ).map { change($0.change, .appointment($0.appointment)) }
        let salons = try SalonRows.changed(
            after: cursor.number,
            limit: limit,
            in: database,
            cache
        ).map { change($0.change, $0.salon.map { .salon($0) } ?? .deletedSalon($0.id)) }
        let all = (appointments + salons).sorted { $0.cursor.number < $1.cursor.number }
        return Array(all.prefix(limit))
    }

    /// Makes all earlier positions invalid. Does nothing if the tables belong to an earlier version,
    /// whose migration begins the first epoch.
    static func beginEpoch(in database: Database) throws(StorageFailure) {
        let table = "SELECT 1 FROM sqlite_schema WHERE name = 'change_feed'"
        guard try database.execute(table) != nil else { return }
        try database.execute("UPDATE change_feed SET epoch = lower(hex(randomblob(8)))")
    }
}
