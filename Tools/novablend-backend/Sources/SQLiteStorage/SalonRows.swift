import BookingStorage
import Contract
import Domain

/// Reads and writes the table of salons.
enum SalonRows {
    private static let upsert = SQL(
        """
        INSERT INTO salons (id, version, json, change)
        VALUES (?1, ?2, ?3, \(ChangeRows.nextNumber))
        ON CONFLICT (id) DO UPDATE
        SET version = excluded.version, json = excluded.json, change = excluded.change
        """
    )
    private static let markDeleted = SQL(
        """
        UPDATE salons SET version = version + 1, json = NULL, change = \(ChangeRows.nextNumber)
        WHERE id = ?1
        """
    )
    private static let one = SQL("SELECT id, version, json FROM salons WHERE id = ?1")
    private static let occupancy = SQL("SELECT number, complete_from FROM salons WHERE id = ?1")
    private static let setCompleteFrom = SQL(
        "UPDATE salons SET complete_from = ?2 WHERE number = ?1"
    )
    private static let page = SQL(
        """
        SELECT id, version, json FROM salons WHERE id > ?1 AND json IS NOT NULL
        ORDER BY id LIMIT ?2
        """
    )

    static let changed = SQL(
        """
        SELECT id, version, json, change FROM salons WHERE change > ?1 ORDER BY change LIMIT ?2
        """
    )
    private static let any = SQL("SELECT 1 FROM salons LIMIT 1")

    /// Throws if the table cannot be read.
    static func check(_ database: Database) throws(StorageFailure) { try database.run(any) }

    /// A row of the table. A deleted salon has none.
    struct Row {
        var version: Int
        /// With its version.
        var salon: Salon?
    }

    /// Stores a salon in a new version and returns it.
    static func write(
        _ salon: Salon,
        version: Int,
        in database: Database
    ) throws(StorageFailure) -> Salon {
        var salon = salon
        salon.version = version
        let json = String(decoding: SalonCodec.encode(salon), as: UTF8.self)
        try database.run(upsert) { row in
            row.bind(1, salon.id.description)
            row.bind(2, Int64(version))
            row.bind(3, json)
        }
        return salon
    }

    static func delete(_ id: SalonID, in database: Database) throws(StorageFailure) {
        try database.run(markDeleted) { $0.bind(1, id.description) }
    }

    static func read(
        _ id: SalonID,
        in database: Database,
        _ cache: DecodedSalonCache
    ) throws(StorageFailure) -> Row? {
        let found = try database.first(one) { statement in
            statement.bind(1, id.description)
        } _: { statement in
            row(from: statement, cache)
        }
        guard let found else { return nil }
        return try valid(found)
    }

    /// What the row says about the table of occupied grains. A deleted salon keeps it.
    struct Occupancy {
        /// The number that stands for the salon.
        var number: Int64
        /// The first grain from which on the table is complete. Earlier ones may have been deleted.
        var completeFrom: Int64
    }

    static func occupancy(
        of id: SalonID,
        in database: Database
    ) throws(StorageFailure) -> Occupancy {
        let found = try database.first(occupancy) {
            $0.bind(1, id.description)
        } _: {
            Occupancy(number: $0.integer(0), completeFrom: $0.integer(1))
        }
        guard let found else { throw StorageFailure(.corrupted, "a salon is missing") }
        return found
    }

    /// Must only increase.
    static func setCompleteFrom(
        _ grain: Int64,
        of salon: Int64,
        in database: Database
    ) throws(StorageFailure) {
        try database.run(setCompleteFrom) { row in
            row.bind(1, salon)
            row.bind(2, grain)
        }
    }

    static func page(
        after id: SalonID?,
        limit: Int,
        in database: Database,
        _ cache: DecodedSalonCache
    ) throws(StorageFailure) -> [Salon] {
        let rows = try database.rows(page) { statement in
            statement.bind(1, id?.description ?? "")
            statement.bind(2, Int64(limit))
        } _: { statement in
            row(from: statement, cache)
        }
        var salons: [Salon] = []
        salons.reserveCapacity(rows.count)
        for row in rows {
            if let salon = try valid(row).salon { salons.append(salon) }
        }
        return salons
    }

    /// The first `limit` salons whose last change has a greater number, with that number. A deleted
    /// salon is nil.
    static func changed(
        after number: Int64,
        limit: Int,
        in database: Database,
        _ cache: DecodedSalonCache
    ) throws(StorageFailure) -> [(change: Int64, id: SalonID, salon: Salon?)] {
        let found = try database.rows(changed) { statement in
            statement.bind(1, number)
            statement.bind(2, Int64(limit))
        } _: { statement in
            (
                change: statement.integer(3),
                id: statement.withBytes(0) { SalonID(utf8: $0) },
                row: row(from: statement, cache)
            )
        }
        return try found.map { (found) throws(StorageFailure) in
            let salon = try valid(found.row).salon
            guard let id = found.id else { throw invalid }
            return (found.change, id, salon)
        }
    }

    /// The row with the columns id, version, and JSON; nil if it is invalid.
    static func row(from statement: Statement, _ cache: DecodedSalonCache) -> Row? {
        let version = Int(clamping: statement.integer(1))
        if statement.isNull(2) { return Row(version: version, salon: nil) }
        guard let id = statement.withBytes(0, { SalonID(utf8: $0) }) else { return nil }
        let salon = cache.salon(id, version: version) { () -> Salon? in
            var salon = try? SalonCodec.decode(statement.bytes(2))
            salon?.version = version
            return salon
        }
        return salon.map { Row(version: version, salon: $0) }
    }

    static func valid(_ row: Row?) throws(StorageFailure) -> Row {
        guard let row else { throw invalid }
        return row
    }

    private static var invalid: StorageFailure {
        StorageFailure(.corrupted, "a stored salon is invalid")
    }
}
