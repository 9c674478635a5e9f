import BookingStorage
import Domain

/// Reads and writes the table of appointments.
enum AppointmentRows {
    private static let columns = "\(StoredAppointment.columns), busy_start, busy_end"
    private static let values = SQL.parameters(for: columns)
    private static let insertedColumns = "\(columns), booked_at"
    static let insert = SQL(
        """
        INSERT INTO appointments (\(insertedColumns))
        VALUES (\(SQL.parameters(for: insertedColumns)))
        """
    )
    static let update = SQL(
        """
        UPDATE appointments
        SET (\(columns), change) = ROW (\(values), \(ChangeRows.thisChange))
        WHERE salon_id = $1 AND id = $2
        """
    )
    static let byIDForUpdate = SQL("\(StoredAppointment.byID.text) FOR UPDATE")
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
    /// groups in their order, and only until there are enough rows. If the condition on the position is
    /// false, there are no groups.
    private static func changed(of owner: String, if condition: String = "true") -> String {
        let group = ChangePosition.group(of: "change")
        return """
            WITH RECURSIVE groups (part) AS (
                SELECT \(ChangePosition.group(of: "$1::xid8")) WHERE \(condition)
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
    }
    /// The number of transactions after which the appointments of a caller are read, which are few,
    /// instead of the groups of changes.
    private static let manyTransactions = 64 << 10
    private static let isOld =
        "\(ChangeRows.horizon)::text::bigint - $1::xid8::text::bigint > \(manyTransactions)"
    static let changedOfCaller = SQL(
        """
        (\(changed(of: "caller", if: "NOT (\(isOld))")))
        UNION ALL
        (WITH own AS MATERIALIZED (SELECT * FROM appointments WHERE caller = $4 AND \(isOld))
            SELECT \(changeColumns) FROM own WHERE \(isChangedAfter) \(inOrder))
        """
    )
    static let changedOfSalon = SQL(changed(of: "salon_id"))
    static let active = SQL(
        """
        SELECT \(StoredAppointment.columns) FROM appointments
        WHERE status = 'booked' AND salon_id = $1 AND instant >= $2 AND busy_end > $3
        ORDER BY instant LIMIT $4
        """
    )
    static let activeForUpdate = SQL("\(active.text) FOR UPDATE")

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
            number: row.integer(StoredAppointment.Column.numberOfColumns + 1),
            place: ChangePosition.element(
                hash: row.integer(StoredAppointment.Column.numberOfColumns + 2)
            ),
            element: try RemainingAppointment(row: row).change
        )
    }
}
