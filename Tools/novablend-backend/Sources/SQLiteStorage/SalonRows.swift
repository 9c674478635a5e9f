import BookingStorage
import Domain

/// Reads and writes the table of salons.
enum SalonRows {
    private static let upsert = SQL(
        """
        INSERT INTO salons (id, version, json, change)
        VALUES ($1, $2, $3, \(ChangeRows.nextNumber))
        ON CONFLICT (id) DO UPDATE
        SET version = excluded.version, json = excluded.json, change = excluded.change
        """
    )
    static let markDeleted = SQL(
        """
        UPDATE salons SET version = version + 1, json = NULL, change = \(ChangeRows.nextNumber)
        WHERE id = $1
        """
    )
    private static let occupancy = SQL("SELECT number, complete_from FROM salons WHERE id = $1")
    /// The grain $2 must only increase.
    static let setCompleteFrom = SQL("UPDATE salons SET complete_from = $2 WHERE number = $1")
    static let changed = SQL(
        "SELECT \(SalonRow.columns), change FROM salons WHERE change > $1 ORDER BY change LIMIT $2"
    )

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

    /// What the row of a salon says about the salon's part of the table of occupied grains. The row
    /// remains when the salon is deleted.
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

    static func occupancy(of id: SalonID) -> Query<Occupancy> {
        Query(occupancy, id, orThrow: StorageFailure(.corrupted, "a salon is missing"))
    }

    /// The first `limit` salons whose last change has a greater number, also deleted ones.
    static func changed(
        after number: Int64,
        limit: Int,
        _ cache: DecodedSalonCache
    ) -> Query<[NumberedChange]> {
        Query(
            changed,
            number,
            limit,
            eachRow: { row throws(StorageFailure) in
                NumberedChange(
                    number: row.integer(4),
                    element: try SalonRow.change(in: row, cache)
                )
            }
        )
    }
}
