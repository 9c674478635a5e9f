import BookingStorage
import Domain

/// Reads and writes the table of salons.
enum SalonRows {
    private static let ofSalon = locks(ofSalon: "$1")
    private static let ofAppointment = locks(
        ofSalon: "(SELECT salon_id FROM appointments WHERE id = $1)"
    )
    /// PostgreSQL grants a new shared lock even if someone waits for an exclusive one. So a salon
    /// that is about to change is not locked with a shared lock. Exclusive locks are granted in the
    /// order in which they were requested.
    private static func locks(ofSalon id: String) -> (shared: SQL, serialized: SQL) {
        let columns = SalonRow.columns(unless: "$2")
        let row = "SELECT \(columns) FROM salons WHERE id = \(id)"
        let isChanging = "coalesce(changing_until > \(DatabaseClock.sql(3)), false)"
        return (
            SQL("\(row) AND NOT \(isChanging) FOR KEY SHARE"),
            SQL("\(row) FOR NO KEY UPDATE")
        )
    }
    private static let exclusive = SQL("\(SalonRow.one.text) FOR UPDATE")
    private static let exclusiveAtOnce = SQL("\(exclusive.text) NOWAIT")
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
    static let markDeleted = SQL(
        """
        UPDATE salons
        SET version = version + 1, json = NULL, change = \(ChangeRows.thisChange),
            changing_until = NULL
        WHERE id = $1
        """
    )
    /// How long an announced change waits for its lock, in seconds.
    private static let changeSeconds = 5
    private static let announceAll = SQL(
        "UPDATE salons SET changing_until = \(DatabaseClock.sql(1)) + \(changeSeconds)"
    )
    private static let announce = SQL("\(announceAll.text) WHERE id = ANY ($2::text[])")
    static let changed = SQL(
        """
        SELECT \(SalonRow.columns), change FROM salons
        WHERE (change, id) > ($1, $2) AND change < \(ChangeRows.horizon)
        ORDER BY change, id LIMIT $3
        """
    )
    private static let lockTable = SQL("LOCK TABLE salons IN SHARE ROW EXCLUSIVE MODE")

    /// Reads a salon in order to book there, and prevents changes of the salon until the end of the
    /// transaction. If `isSerialized`, excludes others who do the same; otherwise there is no row
    /// if the salon is about to change.
    static func use(
        _ place: SalonPlace,
        isSerialized: Bool,
        now: Timestamp?,
        _ cache: DecodedSalonCache
    ) -> Query<SalonRow?> {
        var (locks, cached) = (ofAppointment, Salon?.none)
        if case .salon(let id) = place { (locks, cached) = (ofSalon, cache.latest(id)) }
        if isSerialized { return SalonRow.read(place, cached: cached, cache, locks.serialized) }
        return SalonRow.read(place, cached: cached, cache, locks.shared, now)
    }

    /// Reads a salon in order to change it. It is not cached, because the transaction may be rolled
    /// back. Fails at once if others use the salon, unless it `waits`: then the change must have been
    /// announced, or it could wait forever.
    static func lock(_ id: SalonID, waits: Bool) -> Query<SalonRow?> {
        SalonRow.read(id, nil, waits ? exclusive : exclusiveAtOnce)
    }

    /// Announces a change of salons, or of all salons if `ids` is nil. As soon as the announcement
    /// is committed, new bookings at these salons wait for the change.
    static func announceChange(of ids: [SalonID]?, now: Timestamp?) -> Query<Int> {
        guard let ids else { return Query(announceAll, now) }
        return Query(announce, now, SQLArray(ids))
    }

    /// Excludes all other changes of salons until the end of the transaction.
    static var lockAll: Query<Void> { Query(running: lockTable) }

    /// Stores a salon in its next version. Writes no row if the salon did not exist, but exists now.
    static func write(_ salon: Salon, over row: SalonRow?) -> (stored: Salon, query: Query<Int>) {
        let (stored, json) = salon.next(after: row)
        if row == nil { return (stored, Query(insert, stored.id, json)) }
        return (stored, Query(update, stored.id, stored.version, json))
    }

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
}

/// A salon in a statement.
enum SalonPlace: SQLParameter {
    case salon(SalonID)
    /// The salon of the appointment with this id.
    case ofAppointment(String)

    var sqlValue: SQLValue {
        switch self {
        case .salon(let id): id.sqlValue
        case .ofAppointment(let id): .text(id)
        }
    }

    /// The statement for this kind.
    func choose<Statement>(_ inSalon: Statement, _ inSalonOfAppointment: Statement) -> Statement {
        if case .salon = self { inSalon } else { inSalonOfAppointment }
    }
}
