import BookingStorage
import Domain

/// Reads and writes the table of salons.
enum SalonRows {
    private static let columns = SalonRow.columns
    private static let upsert = SQL(
        """
        INSERT INTO salons (id, version, json, change)
        VALUES ($1, $2, $3, \(ChangeRows.nextNumber))
        ON CONFLICT (id) DO UPDATE
        SET version = excluded.version, json = excluded.json, change = excluded.change
        """
    )
    private static let markDeleted = SQL(
        """
        UPDATE salons SET version = version + 1, json = NULL, change = \(ChangeRows.nextNumber)
        WHERE id = $1
        """
    )
    private static let one = SQL("SELECT \(columns) FROM salons WHERE id = $1")
    private static let occupancy = SQL("SELECT number, complete_from FROM salons WHERE id = $1")
    private static let setCompleteFrom = SQL(
        "UPDATE salons SET complete_from = $2 WHERE number = $1"
    )
    private static let page = SQL(
        """
        SELECT \(columns) FROM salons WHERE id > $1 AND json IS NOT NULL ORDER BY id LIMIT $2
        """
    )
    static let changed = SQL(
        "SELECT \(columns), change FROM salons WHERE change > $1 ORDER BY change LIMIT $2"
    )
    private static let any = SQL("SELECT 1 FROM salons LIMIT 1")

    /// Throws if the table cannot be read.
    static func check(_ database: Database) throws(StorageFailure) { try database.run(any) }

    /// Stores a salon in its next version and returns it.
    static func write(
        _ salon: Salon,
        over row: SalonRow?,
        in database: Database
    ) throws(StorageFailure) -> Salon {
        let (stored, json) = salon.next(after: row)
        try database.run(upsert, stored.id, stored.version, json)
        return stored
    }

    static func delete(_ id: SalonID, in database: Database) throws(StorageFailure) {
        try database.run(markDeleted, id)
    }

    static func read(
        _ id: SalonID,
        in database: Database,
        _ cache: DecodedSalonCache
    ) throws(StorageFailure) -> SalonRow? {
        try database.rows(one, id) { row throws(StorageFailure) in
            try SalonRow(row: row, cache)
        }.first
    }

    /// What the row says about the table of occupied grains. A deleted salon keeps it.
    struct Occupancy: StoredRow {
        /// The number that stands for the salon.
        let number: Int64
        /// The first grain from which on the table is complete. Earlier ones may have been deleted.
        let completeFrom: Int64

        init(row: some ColumnReader) {
            number = row.integer(0)
            completeFrom = row.integer(1)
        }
    }

    static func occupancy(
        of id: SalonID,
        in database: Database
    ) throws(StorageFailure) -> Occupancy {
        guard let found: Occupancy = try database.first(occupancy, id) else {
            throw StorageFailure(.corrupted, "a salon is missing")
        }
        return found
    }

    /// Must only increase.
    static func setCompleteFrom(
        _ grain: Int64,
        of salon: Int64,
        in database: Database
    ) throws(StorageFailure) {
        try database.run(setCompleteFrom, salon, grain)
    }

    static func page(
        after id: SalonID?,
        limit: Int,
        in database: Database,
        _ cache: DecodedSalonCache
    ) throws(StorageFailure) -> [Salon] {
        try database.rows(page, id?.description ?? "", limit) { row throws(StorageFailure) in
            try SalonRow(row: row, cache).salon
        }.compactMap(\.self)
    }

    /// The first `limit` salons whose last change has a greater number, also deleted ones.
    static func changed(
        after number: Int64,
        limit: Int,
        in database: Database,
        _ cache: DecodedSalonCache
    ) throws(StorageFailure) -> [NumberedChange] {
        try database.rows(changed, number, limit) { row throws(StorageFailure) in
            NumberedChange(number: row.integer(4), element: try SalonRow.change(in: row, cache))
        }
    }
}
