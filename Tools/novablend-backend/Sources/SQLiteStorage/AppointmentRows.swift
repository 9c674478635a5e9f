import BookingStorage
import Domain

/// Reads and writes the table of appointments.
enum AppointmentRows {
    private static let columns = StoredAppointment.columns
    private static let values = SQL.parameters(for: columns)

    private static let insert = SQL(
        """
        INSERT INTO appointments (\(columns), change, booked_at)
        VALUES (\(values), \(ChangeRows.nextNumber), $\(StoredAppointment.Column.numberOfColumns + 1))
        """
    )
    static let update = SQL(
        """
        UPDATE appointments SET (\(columns)) = (\(values)), change = \(ChangeRows.nextNumber)
        WHERE salon_id = $1 AND id = $2 RETURNING number
        """
    )
    static let active = SQL(
        """
        SELECT \(columns) FROM appointments INDEXED BY active_appointments
        WHERE status = 'booked' AND salon_id = $1 AND instant >= $2
            AND instant + (minutes + buffer_after) * 60 > $3
        ORDER BY instant LIMIT $4
        """
    )

    private static let changeColumns = "\(columns), deleted_at IS NOT NULL, change"
    static let changed = SQL(
        """
        SELECT \(changeColumns) FROM appointments WHERE change > $1 ORDER BY change LIMIT $2
        """
    )
    /// Finds the changes of a caller by reading all appointments of the caller, which are few.
    static let changedOfCaller = SQL(
        """
        SELECT \(changeColumns) FROM appointments INDEXED BY appointments_of_callers
        WHERE caller = $3 AND change > $1 ORDER BY change LIMIT $2
        """
    )
    /// Finds the changes of a caller by reading all changes, which must be few.
    static let recentlyChangedOfCaller = SQL(
        """
        SELECT \(changeColumns) FROM appointments INDEXED BY changed_appointments
        WHERE change > $1 AND caller = $3 ORDER BY change LIMIT $2
        """
    )
    /// The maximum number of changes of all callers that are read to find those of one. If there are
    /// more, the appointments of the caller are read instead.
    private static let fewChanges: Int64 = 2_000
    /// In the index `changes_of_salons`, changes are in one group if their numbers are the same without
    /// this many low bits.
    static let changeGroupBits = 10
    /// Finds the changes of a salon in one group of changes.
    static let changedOfSalon = SQL(
        """
        SELECT \(changeColumns) FROM appointments INDEXED BY changes_of_salons
        WHERE change >> \(changeGroupBits) = $4 AND salon_id = $3 AND change > $1
        ORDER BY change LIMIT $2
        """
    )

    /// Stores a new appointment. Returns the number of the row.
    static func insert(
        _ stored: StoredAppointment,
        now: Timestamp,
        in database: Database
    ) throws(StorageFailure) -> Int64 {
        try database.run(Query<Int>(insert, values: stored.values + [now]))
        return database.lastRowID
    }

    /// Returns the number of the row.
    static func update(
        _ stored: StoredAppointment,
        in database: Database
    ) throws(StorageFailure) -> Int64 {
        let number = try database.run(
            Query<Int64?>(update, stored.values) { row in row.integer(0) }
        )
        guard let number else { throw StorageFailure(.corrupted, "an appointment is missing") }
        return number
    }

    /// The first `limit` appointments that are visible to the role and whose last change has a
    /// greater number, with that number, including deleted appointments. `latest` is the number of
    /// the last change.
    static func changed(
        after number: Int64,
        before latest: Int64,
        limit: Int,
        visibleTo role: Principal.Role,
        in database: Database
    ) throws(StorageFailure) -> [NumberedChange] {
        switch role {
        case .administrator: return try database.run(Query(changed, number, limit))
        case .customer(let phone):
            let sql = latest - number > fewChanges ? changedOfCaller : recentlyChangedOfCaller
            return try database.run(Query(sql, number, limit, phone))
        case .staff(let salon):
            var found: [NumberedChange] = []
            var group = number >> changeGroupBits
            while found.count < limit, group <= latest >> changeGroupBits {
                let rest = limit - found.count
                found += try database.run(Query(changedOfSalon, number, rest, salon, group))
                group += 1
            }
            return found
        }
    }
}

/// What has changed, with the number of the change.
struct NumberedChange: StoredRow {
    let number: Int64
    let element: StoredChange.Element

    init(number: Int64, element: StoredChange.Element) {
        self.number = number
        self.element = element
    }

    /// Reads the columns of an appointment, whether it is deleted, and the number.
    init(row: some ColumnReader) throws(StorageFailure) {
        let appointment = try RemainingAppointment(row: row)
        self.init(
            number: row.integer(StoredAppointment.Column.numberOfColumns + 1),
            element: appointment.change
        )
    }
}
