import BookingStorage
import Domain

/// Reads what has changed in the tables of salons and appointments.
///
/// Each change of a row gives it the next number, inside the transaction of the change. Because
/// SQLite has one writer at a time, whichever process it belongs to, the numbers have the order of
/// the commits. A row that is deleted from these tables must not have the greatest number, because
/// that could be used again.
///
/// A number alone does not say which change it counts, because a copy of the file may go on from an
/// earlier state, and count different changes. So the history of a file consists of terms: each store
/// that is opened begins one with its first change, and gives it a random id. A position names the last
/// term of the file from which it was read. All files that know a term have the same changes before it.
/// A copy that was made during a term also has the changes of that term up to the copy, after which its
/// own store begins a different term. So a position is valid if its term is known and had not ended
/// before it.
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

    static let latest = SQL(
        """
        SELECT (SELECT id FROM terms ORDER BY number DESC LIMIT 1), \(lastNumber), first_number
        FROM change_feed
        """
    )

    /// The number of the last change of the term `$1`; NULL if it is the last term.
    static let endOfTerm = SQL(
        """
        SELECT (
            SELECT next.first_number FROM terms AS next WHERE next.number > terms.number
            ORDER BY next.number LIMIT 1
        )
        FROM terms WHERE id = $1
        """
    )

    /// The state of the feed at one moment.
    private struct State: StoredRow {
        /// The position of the last change.
        let latest: ChangeCursor
        /// The number of the first position that is not too old.
        let first: Int64

        init(row: some ColumnReader) throws(StorageFailure) {
            if row.isNull(0) { throw missing }
            latest = ChangeCursor(epoch: row.text(0), number: row.integer(1))
            first = min(row.integer(2), latest.number)
        }
    }

    private struct Term: StoredRow {
        /// The number of its last change; nil for the last term.
        let last: Int64?

        init(row: some ColumnReader) { last = row.isNull(0) ? nil : row.integer(0) }
    }

    private static let missing = StorageFailure(
        .corrupted,
        "the terms of the changes are missing"
    )

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
        try database.beginReading()
        defer { database.rollback() }
        let state = try database.run(Query<State>(latest, orThrow: missing))
        let latest = state.latest
        guard let cursor else { return ChangePage(changes: [], cursor: latest) }
        if cursor == latest { return ChangePage(changes: [], cursor: latest) }
        let found = try database.run(Query<Term?>(endOfTerm, cursor.epoch))
        guard let term = found,
            cursor.number >= state.first, cursor.number <= term.last ?? latest.number
        else { return nil }
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
            let cursor = ChangeCursor(epoch: latest.epoch, number: change.number)
            return StoredChange(cursor: cursor, element: change.element)
        }
    }

    /// The random id of a new term, as an SQL expression.
    static let newID = "lower(hex(randomblob(8)))"

    private static let readNumber = SQL("SELECT \(lastNumber)")
    private static let insertTerm = SQL(
        "INSERT INTO terms (id, first_number) VALUES (\(newID), $1)"
    )
    // Positions in a term that ended before the first number are too old.
    private static let deleteOldTerms = SQL(
        """
        DELETE FROM terms WHERE number < (
            SELECT max(terms.number) FROM terms, change_feed
            WHERE terms.first_number < change_feed.first_number
        )
        """
    )

    /// The number of the last change.
    static func number(in database: Database) throws(StorageFailure) -> Int64 {
        try database.run(Query<Int64>(readNumber, otherwise: 0))
    }

    /// Begins a term after the change with this number, in the transaction of the next change.
    static func beginTerm(after number: Int64, in database: Database) throws(StorageFailure) {
        try database.run(insertTerm, number)
        try database.run(deleteOldTerms)
    }
}
