import BookingStorage
import Domain

/// Reads and writes what the database contains about the clock, in a table with one row.
enum ClockRows {
    private static let select = SQL("SELECT seen_at, wait FROM clock")
    private static let update = SQL("UPDATE clock SET seen_at = ?1, wait = ?2")

    static func read(in database: Database) throws(StorageFailure) -> ClockMonitor.Record {
        let record = try database.first(select) { _ in
        } _: { row in
            ClockMonitor.Record(
                time: Timestamp(secondsSince1970: row.integer(0)),
                wait: row.integer(1)
            )
        }
        guard let record else {
            throw StorageFailure(.corrupted, "the row of the clock is missing")
        }
        return record
    }

    static func write(
        _ record: ClockMonitor.Record,
        in database: Database
    ) throws(StorageFailure) {
        try database.run(update) { row in
            row.bind(1, record.time.secondsSince1970)
            row.bind(2, record.wait)
        }
    }
}
