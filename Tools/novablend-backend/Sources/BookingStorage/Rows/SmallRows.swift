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
    package static let select = SQL("SELECT seen_at, wait FROM clock")
    package static let update = SQL("UPDATE clock SET seen_at = $1, wait = $2")
    /// The failure if the table has no row.
    package static let missing = StorageFailure(.corrupted, "the row of the clock is missing")

    package init(row: some ColumnReader) {
        self.init(time: row.timestamp(0), wait: row.integer(1))
    }
}

extension ExpiredRows: StoredRow {
    /// Reads the numbers in the order of the properties.
    package init(row: some ColumnReader) {
        holds = row.int(0)
        keys = row.int(1)
        deletedAppointments = row.int(2)
        auditEntries = row.int(3)
    }
}
