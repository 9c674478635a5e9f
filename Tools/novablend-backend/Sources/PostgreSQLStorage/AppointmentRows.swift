import BookingStorage
import Domain

/// Reads and writes the table of appointments.
enum AppointmentRows {
    private static let columns = "\(StoredAppointment.columns), busy_start, busy_end"
    private static let values = SQL.parameters(for: columns)
    static let insert = SQL(
        "INSERT INTO appointments (\(columns)) VALUES (\(values))"
    )
    static let update = SQL(
        """
        UPDATE appointments
        SET (\(columns), change) = ROW (\(values), \(ChangeRows.thisChange))
        WHERE salon_id = $1 AND id = $2
        """
    )
    static let byIDForUpdate = SQL("\(StoredAppointment.byID.text) FOR UPDATE")
    /// The groups in the index of callers: the distinct first six characters of the ids. Finding
    /// each group takes one lookup in the index.
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
    /// An appointment starts at most a day after the start of the time that it occupies.
    static let activeInRange = SQL(
        """
        SELECT \(StoredAppointment.columns) FROM appointments
        WHERE status = 'booked' AND salon_id = $1 AND busy_start >= $4 AND busy_start < $3
            AND instant >= $2 AND instant < $3 AND id > $5
        ORDER BY id LIMIT $6
        """
    )

    static let activeInRangeForUpdate = SQL("\(activeInRange.text) FOR UPDATE")

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

    static func values(of stored: StoredAppointment) -> [any SQLParameter] {
        stored.values + [stored.interval.start, stored.interval.end]
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
            number: row.integer(StoredAppointment.columnCount + 1),
            place: ChangePosition.element(hash: row.integer(StoredAppointment.columnCount + 2)),
            element: try RemainingAppointment(row: row).change
        )
    }
}
