import BookingStorage
import Domain

/// Reads and writes the table of salons.
enum SalonRows {
    /// The JSON is left out if the program has the salon of the version `$2`.
    private static let columns =
        "id, version, json IS NULL, CASE WHEN version = $2 THEN NULL ELSE json END"
    private static let ofAppointment = "(SELECT salon_id FROM appointments WHERE id = $1)"
    private static let (shared, serialized) = locks(ofSalon: "$1")
    private static let (sharedOfAppointment, serializedOfAppointment) = locks(
        ofSalon: ofAppointment
    )
    /// PostgreSQL grants a new shared lock although someone waits for an exclusive one. So there is
    /// none for a salon that is about to change. Exclusive locks are granted in their order.
    private static func locks(ofSalon id: String) -> (shared: SQL, serialized: SQL) {
        let row = "SELECT \(columns) FROM salons WHERE id = \(id)"
        let isChanging = "coalesce(changing_until > \(DatabaseClock.sql(3)), false)"
        return (
            SQL("\(row) AND NOT \(isChanging) FOR KEY SHARE"),
            SQL("\(row) FOR NO KEY UPDATE")
        )
    }
    private static let one = SQL("SELECT \(columns) FROM salons WHERE id = $1")
    private static let exclusive = SQL("\(one.text) FOR UPDATE")
    private static let exclusiveAtOnce = SQL("\(exclusive.text) NOWAIT")
    private static let pageOfAll = SQL(
        """
        SELECT \(SalonRow.columns) FROM salons WHERE id > $1 AND json IS NOT NULL
        ORDER BY id LIMIT $2
        """
    )
    private static let insert = SQL(
        "INSERT INTO salons (id, version, json) VALUES ($1, 1, $2) ON CONFLICT DO NOTHING"
    )
    private static let update = SQL(
        """
        UPDATE salons
        SET version = $2, json = $3, change = \(ChangeRows.thisChange), changing_until = NULL
        WHERE id = $1
        """
    )
    private static let markDeleted = SQL(
        """
        UPDATE salons
        SET version = version + 1, json = NULL, change = \(ChangeRows.thisChange),
            changing_until = NULL
        WHERE id = $1
        """
    )
    /// As long as a change waits for its lock.
    private static let changeSeconds = 5
    private static let announce = SQL(
        """
        UPDATE salons SET changing_until = \(DatabaseClock.sql(2)) + \(changeSeconds)
        WHERE $1::text[] IS NULL OR id = ANY ($1)
        """
    )
    static let changed = SQL(
        """
        SELECT \(SalonRow.columns), change FROM salons
        WHERE (change, id) > ($1, $2) AND change < \(ChangeRows.horizon)
        ORDER BY change, id LIMIT $3
        """
    )
    private static let any = SQL("SELECT 1 FROM salons LIMIT 1")
    private static let lockTable = SQL("LOCK TABLE salons IN SHARE ROW EXCLUSIVE MODE")

    static var check: Query<Void> { Query(running: any) }

    static func read(_ id: SalonID, _ cache: DecodedSalonCache?) -> Query<SalonRow?> {
        query(one, id, cache?.latest(id), cache)
    }

    /// Reads a salon in order to book there, and prevents that it is changed until the end of the
    /// transaction. If `isSerialized`, excludes others who do the same; otherwise there is no row if
    /// the salon is about to change.
    static func use(
        _ id: SalonID,
        isSerialized: Bool,
        now: Timestamp?,
        _ cache: DecodedSalonCache
    ) -> Query<SalonRow?> {
        let cached = cache.latest(id)
        if isSerialized { return query(serialized, id, cached, cache) }
        return Query(shared, id, cached?.version, now, firstRow: reader(cached, cache))
    }

    /// The same for the salon of an appointment.
    static func use(
        ofAppointment id: String,
        isSerialized: Bool,
        now: Timestamp?,
        _ cache: DecodedSalonCache
    ) -> Query<SalonRow?> {
        if isSerialized { return query(serializedOfAppointment, id, nil, cache) }
        let version: Int? = nil
        return Query(sharedOfAppointment, id, version, now, firstRow: reader(nil, cache))
    }

    /// Reads a salon in order to change it. It is not cached, because the transaction may be rolled
    /// back. Fails at once if others use the salon, unless it `waits`: then the change must have been
    /// announced, or it could wait forever.
    static func lock(_ id: SalonID, waits: Bool) -> Query<SalonRow?> {
        query(waits ? exclusive : exclusiveAtOnce, id, nil, nil)
    }

    /// Lets those who book at the salons wait for a change that follows, as soon as this is
    /// committed. All salons if `ids` is nil.
    static func announceChange(of ids: [SalonID]?, now: Timestamp?) -> Query<Int> {
        Query(announce, ids.map { SQLArray($0) }, now)
    }

    /// Excludes all other changes of salons until the end of the transaction.
    static var lockAll: Query<Void> { Query(running: lockTable) }

    static func page(
        after id: SalonID?,
        limit: Int,
        _ cache: DecodedSalonCache?
    ) -> Query<[Salon]> {
        Query(
            pageOfAll,
            id?.description ?? "",
            limit,
            rows: { rows throws(StorageFailure) in
                try rows.map { row throws(StorageFailure) in
                    try SalonRow(row: row, cache).salon
                }.compactMap(\.self)
            }
        )
    }

    /// Stores a salon in its next version. Writes no row if the salon did not exist, but exists now.
    static func write(_ salon: Salon, over row: SalonRow?) -> (stored: Salon, query: Query<Int>) {
        let (stored, json) = salon.next(after: row)
        if row == nil { return (stored, Query(insert, stored.id, json)) }
        return (stored, Query(update, stored.id, stored.version, json))
    }

    static func delete(_ id: SalonID) -> Query<Int> { Query(markDeleted, id) }

    /// The first `limit` salons whose last change is after a position, also deleted ones.
    static func changed(
        after position: ChangePosition,
        limit: Int,
        _ cache: DecodedSalonCache
    ) -> Query<[FoundChange]> {
        Query(
            changed,
            position.number,
            position.lastSalon,
            limit,
            eachRow: { row throws(StorageFailure) in
                FoundChange(
                    number: row.integer(4),
                    place: ChangePosition.element(ofSalon: row.text(0)),
                    element: try SalonRow.change(in: row, cache)
                )
            }
        )
    }

    private static func query(
        _ sql: SQL,
        _ id: any SQLParameter,
        _ cached: Salon?,
        _ cache: DecodedSalonCache?
    ) -> Query<SalonRow?> {
        Query(sql, id, cached?.version, firstRow: reader(cached, cache))
    }

    private static func reader(
        _ cached: Salon?,
        _ cache: DecodedSalonCache?
    ) -> (QueryResult.Row) throws(StorageFailure) -> SalonRow {
        { row throws(StorageFailure) in try SalonRow(row: row, cached: cached, cache) }
    }
}
