import BookingStorage
import Domain

/// Reads and writes the table of appointments.
enum AppointmentRows {
    private static let columns = "\(StoredAppointment.columns), busy_start, busy_end"
    private static let values = SQL.parameters(for: columns)
    private static let insertRow = SQL(
        "INSERT INTO appointments (\(columns)) VALUES (\(values))"
    )
    private static let updateRow = SQL(
        """
        UPDATE appointments
        SET (\(columns), change) = ROW (\(values), \(ChangeRows.thisChange))
        WHERE salon_id = $1 AND id = $2
        """
    )
    private static let byIDForUpdate = SQL("\(StoredAppointment.byID.text) FOR UPDATE")
    /// The groups of the index of callers: the beginnings of all ids. Each one is found by the index.
    private static let groups = """
        WITH RECURSIVE groups (part) AS (
            (SELECT left(id, 6) FROM appointments ORDER BY left(id, 6) LIMIT 1)
            UNION ALL
            SELECT (
                SELECT left(id, 6) FROM appointments WHERE left(id, 6) > part
                ORDER BY left(id, 6) LIMIT 1
            ) FROM groups WHERE part IS NOT NULL
        )
        """
    static let pageOfCaller = SQL(
        """
        \(groups) SELECT \(StoredAppointment.columns) FROM groups JOIN appointments ON left(id, 6) = part
        WHERE caller = $4 AND (salon_id, id) > ($1, $2) AND deleted_at IS NULL
        ORDER BY salon_id, id LIMIT $3
        """
    )
    private static let changeColumns =
        "\(StoredAppointment.columns), deleted_at IS NOT NULL, change, \(ChangePosition.hash)"
    private static let isChangedAfter = """
        (change, \(ChangePosition.hash)) > ($1, $2) AND change < \(ChangeRows.horizon)
        """
    private static let inOrder = "ORDER BY change, \(ChangePosition.hash) LIMIT $3"
    static let changed = SQL(
        "SELECT \(changeColumns) FROM appointments WHERE \(isChangedAfter) \(inOrder)"
    )
    /// Looks up the owner in each group of changes, which the index finds. The lateral join reads the
    /// groups in their order, and only until there are enough rows.
    private static func changed(of owner: String) -> SQL {
        let group = ChangePosition.group(of: "change")
        return SQL(
            """
            WITH RECURSIVE groups (part) AS (
                SELECT \(ChangePosition.group(of: "$1::xid8"))
                UNION ALL
                SELECT (
                    SELECT \(group) FROM appointments WHERE \(group) > part
                    ORDER BY \(group) LIMIT 1
                ) FROM groups WHERE part IS NOT NULL
            )
            SELECT found.* FROM groups CROSS JOIN LATERAL (
                SELECT \(changeColumns) FROM appointments
                WHERE \(group) = part AND \(owner) = $4 AND \(isChangedAfter) \(inOrder)
            ) AS found LIMIT $3
            """
        )
    }
    static let changedOfCaller = changed(of: "caller")
    static let changedOfSalon = changed(of: "salon_id")
    /// An appointment starts at most a day after the time that it occupies.
    static let activeInRange = SQL(
        """
        SELECT \(StoredAppointment.columns) FROM appointments
        WHERE status = 'booked' AND salon_id = $1 AND busy_start >= $4 AND busy_start < $3
            AND instant >= $2 AND instant < $3 AND id > $5
        ORDER BY id LIMIT $6
        """
    )

    private static let activeInRangeForUpdate = SQL("\(activeInRange.text) FOR UPDATE")

    static func insert(_ stored: StoredAppointment) -> Query<Int> { write(insertRow, stored) }

    static func update(_ stored: StoredAppointment) -> Query<Int> { write(updateRow, stored) }

    static func read(_ id: String) -> Query<StoredAppointment?> {
        Query(StoredAppointment.byID, id)
    }

    /// Reads an appointment and locks it until the end of the transaction.
    static func lock(_ id: String) -> Query<StoredAppointment?> {
        Query(byIDForUpdate, id)
    }

    static func page(
        after position: AppointmentPosition?,
        limit: Int,
        visibleTo role: Principal.Role
    ) -> Query<[StoredAppointment]> {
        let (salon, id) = position.values
        switch role {
        case .administrator:
            return Query(StoredAppointment.page, salon, id, limit)
        case .customer(let phone):
            return Query(pageOfCaller, salon, id, limit, phone)
        case .staff(let own):
            let own = own.description
            // The position may be before the first appointment of the salon, or after the last one.
            if salon > own { return .value([]) }
            return Query(StoredAppointment.pageOfSalon, own, salon == own ? id : "", limit)
        }
    }

    /// The first active appointments of a salon that start in a range, by their ids. They can be
    /// locked until the end of the transaction.
    static func active(
        of salon: SalonID,
        startingIn range: Range<Timestamp>,
        after id: String? = nil,
        limit: Int,
        areLocked: Bool = false
    ) -> Query<[StoredAppointment]> {
        let (start, end) = (range.lowerBound, range.upperBound)
        let earliest = start.advanced(bySeconds: -86_400)
        let sql = areLocked ? activeInRangeForUpdate : activeInRange
        return Query(sql, salon, start, end, earliest, id ?? "", limit)
    }

    /// The first `limit` appointments whose last change is after a position, also deleted ones.
    static func changed(
        after position: ChangePosition,
        limit: Int,
        visibleTo role: Principal.Role
    ) -> Query<[FoundChange]> {
        let (number, last) = (position.number, position.lastAppointment)
        switch role {
        case .administrator: return Query(changed, number, last, limit)
        case .customer(let phone): return Query(changedOfCaller, number, last, limit, phone)
        case .staff(let own): return Query(changedOfSalon, number, last, limit, own)
        }
    }

    private static func write(_ sql: SQL, _ stored: StoredAppointment) -> Query<Int> {
        Query(sql, values: stored.values + [stored.interval.start, stored.interval.end])
    }
}

/// A row that has changed.
struct FoundChange: StoredRow {
    /// The id of the transaction.
    let number: Int64
    /// The place among the rows of the transaction, as in ``ChangePosition``.
    let place: String
    let element: StoredChange.Element

    init(number: Int64, place: String, element: StoredChange.Element) {
        self.number = number
        self.place = place
        self.element = element
    }

    /// Reads the columns of an appointment, whether it is deleted, the number, and its hash.
    init(row: some ColumnReader) throws(StorageFailure) {
        self.init(
            number: row.integer(18),
            place: ChangePosition.element(hash: row.integer(19)),
            element: try RemainingAppointment(row: row).change
        )
    }
}
