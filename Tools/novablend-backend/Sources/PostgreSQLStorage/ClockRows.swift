import BookingStorage
import Domain

/// Reads and writes what the database contains about its clock, in a table with one row.
enum ClockRows {
    private static let select = SQL("SELECT seen_at, wait FROM clock")
    private static let update = SQL("UPDATE clock SET seen_at = $1, wait = $2")

    static var read: Query<ClockMonitor.Record> {
        Query(
            select,
            rows: { rows throws(DatabaseError) in
                guard let row = rows.first else {
                    throw .corrupted("the row of the clock is missing")
                }
                return ClockMonitor.Record(time: row.timestamp(0), wait: row.integer(1))
            }
        )
    }

    static func write(_ record: ClockMonitor.Record) -> Query<Int> {
        Query(update, record.time, record.wait)
    }
}
