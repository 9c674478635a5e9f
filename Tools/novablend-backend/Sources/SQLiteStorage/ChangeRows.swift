import BookingStorage
import Domain

/// Reads what has changed in the tables of salons and appointments.
///
/// Each change of a row gives it the next number, inside the transaction of the change. Because
/// SQLite has one writer at a time, whichever process it belongs to, the numbers have the order of
/// the commits. A row that is deleted from these tables must not have the greatest number, because
/// that could be used again.
enum ChangeRows {
    /// The number of the last change, as an SQL expression.
    static let lastNumber = """
        max(
            ifnull((SELECT max(change) FROM appointments), 0),
            ifnull((SELECT max(change) FROM salons), 0)
        )
        """
    /// The number for a change, as an SQL expression.
    static let nextNumber = "1 + \(lastNumber)"

    static let latest = SQL("SELECT epoch, \(lastNumber), first_number FROM change_feed")

    /// The state of the feed at one moment.
    private struct State: StoredRow {
        /// The position of the last change.
        let latest: ChangeCursor
        /// The number of the first position that is not too old.
        let first: Int64

        init(row: some ColumnReader) {
            latest = ChangeCursor(epoch: row.text(0), number: row.integer(1))
            first = min(row.integer(2), latest.number)
        }
    }

    /// The first `limit` elements that have changed after a position and are in the scope, or
    /// only the position of the last change if `cursor` is nil. Returns nil if the position does not
    /// belong to this history, or is too old.
    static func page(
        after cursor: ChangeCursor?,
        limit: Int,
        in scope: ChangeScope,
        from database: Database,
        _ cache: DecodedSalonCache
    ) throws(StorageFailure) -> ChangePage? {
        try database.readTransaction { () throws(StorageFailure) in
            let missing = StorageFailure(.corrupted, "the epoch of the changes is missing")
            let state = try database.run(Query<State>(latest, orThrow: missing))
            let latest = state.latest
            guard let cursor else { return ChangePage(changes: [], cursor: latest) }
            guard cursor.epoch == latest.epoch,
                (state.first...latest.number).contains(cursor.number)
            else { return nil }
            if cursor == latest { return ChangePage(changes: [], cursor: latest) }
            // One more than the page has room for, to know whether there are more.
            let changes = try changes(after: cursor, latest, limit + 1, scope, database, cache)
            let page = Array(changes.prefix(limit))
            let isLast = page.count == changes.count
            return ChangePage(
                changes: page,
                cursor: isLast ? latest : page.last?.cursor ?? cursor,
                hasMore: !isLast
            )
        }
    }

    private static func changes(
        after cursor: ChangeCursor,
        _ latest: ChangeCursor,
        _ limit: Int,
        _ scope: ChangeScope,
        _ database: Database,
        _ cache: DecodedSalonCache
    ) throws(StorageFailure) -> [StoredChange] {
        var appointments: [NumberedChange] = []
        if scope.kinds.contains(.appointments) {
            appointments = try AppointmentRows.changed(
                after: cursor.number,
                before: latest.number,
                limit: limit,
                visibleTo: scope.role,
                in: database
            )
        }
        var salons: [NumberedChange] = []
        if scope.kinds.contains(.salons) {
            salons = try database.run(
                SalonRows.changed(after: cursor.number, limit: limit, cache)
            )
        }
        return (appointments + salons).sorted { $0.number < $1.number }.prefix(limit).map {
            change in
            let cursor = ChangeCursor(epoch: cursor.epoch, number: change.number)
            return StoredChange(cursor: cursor, element: change.element)
        }
    }

    /// A new epoch, as an SQL expression.
    static let newEpoch = "lower(hex(randomblob(8)))"

    /// Makes all earlier positions invalid. Does nothing if the database has no tables yet.
    static func beginEpoch(in database: Database) throws(StorageFailure) {
        let table = "SELECT 1 FROM sqlite_schema WHERE name = 'change_feed'"
        guard try database.execute(table) != nil else { return }
        try database.execute("UPDATE change_feed SET epoch = \(newEpoch)")
    }
}
