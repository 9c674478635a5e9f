package import Domain

extension Bool: StoredRow {
    package init(row: some ColumnReader) { self = row.bool(0) }
}

extension Int: StoredRow {
    package init(row: some ColumnReader) { self = row.int(0) }
}

extension Int64: StoredRow {
    package init(row: some ColumnReader) { self = row.integer(0) }
}

extension Timestamp: StoredRow {
    package init(row: some ColumnReader) { self = row.timestamp(0) }
}

extension BusyInterval: StoredRow {
    package init(row: some ColumnReader) { self.init(row: row, at: 0) }

    /// The length of an appointment and each of its buffers are at most a day, so it does not start
    /// to occupy time more than three days before its end.
    static let maximumSeconds: Int64 = 3 * 86_400

    /// The times that are taken in a salon, in part or entirely within `range`, except by the
    /// appointment and the hold with these ids.
    ///
    /// - Parameter sql: Its parameters are the salon, the start and the end of the range, a bound for
    ///   the starts of the times, the current time, and the two ids.
    package static func query(
        _ sql: SQL,
        of salon: SalonID,
        in range: Range<Timestamp>,
        exceptAppointment appointment: String = "",
        exceptHold hold: String = "",
        now: Timestamp?
    ) -> Query<[BusyInterval]> {
        let (start, end) = (range.lowerBound, range.upperBound)
        let earliest = start.advanced(bySeconds: -maximumSeconds)
        return Query(sql, salon, start, end, earliest, now, appointment, hold)
    }

    /// Reads the start, the end, the staff member, and the seats, beginning with the column `first`.
    package init(row: some ColumnReader, at first: Int32) {
        self.init(
            start: row.timestamp(first),
            end: row.timestamp(first + 1),
            staffID: row.optionalText(first + 2),
            seats: row.int(first + 3)
        )
    }
}

extension ClockMonitor.Record: StoredRow {
    private static let select = SQL("SELECT seen_at, wait FROM clock")
    static let update = SQL("UPDATE clock SET seen_at = $1, wait = $2")
    package static var query: Query<ClockMonitor.Record> {
        let missing = StorageFailure(.corrupted, "the row of the clock is missing")
        return Query(select, orThrow: missing)
    }

    package init(row: some ColumnReader) {
        self.init(time: row.timestamp(0), wait: row.integer(1))
    }
}

extension ExpiredRows: StoredRow {
    /// Counts the rows that are no longer needed.
    ///
    /// - Parameters:
    ///   - now: The current time, as an SQL expression.
    ///   - keyTables: The tables of idempotency keys.
    ///   - deleted: ` AND` and an SQL condition that limits which of the old rows of deleted
    ///     appointments can be deleted; empty for all of them.
    package static func count(now: String, keyTables: [String], deleted: String = "") -> SQL {
        let keys = keyTables.map { table in
            """
            (SELECT count(*) FROM \(table)
                WHERE created_at < \(now) - \(IdempotencyKey.retentionSeconds))
            """
        }
        return SQL(
            """
            SELECT
                (SELECT count(*) FROM holds
                    WHERE expires_at < \(now) - \(StoredHold.retentionSeconds)),
                \(keys.joined(separator: " + ")),
                (SELECT count(*) FROM appointments
                    WHERE deleted_at < \(now) - \(DeletedAppointment.retentionSeconds)\(deleted)),
                (SELECT count(*) FROM audit_log
                    WHERE changed_at < \(now) - \(AuditEntry.retentionSeconds))
            """
        )
    }

    /// Reads the numbers in the order of the properties.
    package init(row: some ColumnReader) {
        holds = row.int(0)
        keys = row.int(1)
        deletedAppointments = row.int(2)
        auditEntries = row.int(3)
    }
}
