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

    /// What takes at most this long, buffers included, is found without looking further than that
    /// from the time for which it is searched.
    package static let shortMinutes = 180

    /// The start and the end of a range, and between which starts the appointments are that overlap it:
    /// first short ones, and then any, whose lengths and buffers are at most a day each.
    static func bounds(of range: Range<Timestamp>) -> [any SQLParameter] {
        let (start, end, day) = (range.lowerBound, range.upperBound, Int64(86_400))
        let short = Int64(shortMinutes) * 60
        return [
            start, end,
            start.advanced(bySeconds: -short), end.advanced(bySeconds: short),
            start.advanced(bySeconds: -2 * day), end.advanced(bySeconds: day),
        ]
    }

    /// The times that are taken in a salon, in part or entirely within `range`, except by the
    /// appointment and the hold with these ids.
    ///
    /// - Parameter sql: Its parameters are the salon, the ``bounds(of:)`` of the range, the current time,
    ///   and the two ids.
    package static func query(
        _ sql: SQL,
        of salon: SalonID,
        in range: Range<Timestamp>,
        exceptAppointment appointment: String = "",
        exceptHold hold: String = "",
        now: Timestamp?
    ) -> Query<[BusyInterval]> {
        let (bounds, parameters) = (
            bounds(of: range), [now, appointment, hold] as [any SQLParameter]
        )
        return Query<[BusyInterval]>(sql, [salon] + bounds + parameters, into: []) {
            intervals,
            row in
            intervals.append(BusyInterval(row: row))
        }
    }

    /// The seconds of `range` that each staff member of a salon works, including buffers, without the
    /// appointment and the hold with these ids.
    ///
    /// - Parameter sql: Its parameters are those of
    ///   ``query(_:of:in:exceptAppointment:exceptHold:now:)``.
    package static func workQuery(
        _ sql: SQL,
        of salon: SalonID,
        in range: Range<Timestamp>,
        exceptAppointment appointment: String = "",
        exceptHold hold: String = "",
        now: Timestamp?
    ) -> Query<[String: Int64]> {
        let parameters = [now, appointment, hold] as [any SQLParameter]
        return Query<[String: Int64]>(sql, [salon] + bounds(of: range) + parameters, into: [:]) {
            work,
            row in
            work[row.text(0)] = row.integer(1)
        }
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
