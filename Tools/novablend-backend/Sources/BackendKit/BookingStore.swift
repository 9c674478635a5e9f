import Contract
import Domain
import JSON

/// The bookings in the database.
///
/// A booking is inserted by a transaction that excludes other writers from its start, and that
/// looks for bookings that overlap it: no stretch of time is sold twice, also where slots were
/// longer once.
struct BookingStore: Sendable {
    let database: Database

    init(_ database: Database) throws {
        self.database = database
        try database.transaction { database in
            for statement in Self.schema { _ = try database.query(statement) }
            try Self.addMissingColumns(in: database)
        }
    }

    private static let schema = [
        """
        CREATE TABLE IF NOT EXISTS appointments (
            id TEXT PRIMARY KEY,
            salon_id TEXT NOT NULL,
            instant INTEGER NOT NULL,
            offset_minutes INTEGER NOT NULL,
            phone TEXT NOT NULL,
            email TEXT,
            notes TEXT,
            version INTEGER NOT NULL,
            minutes INTEGER NOT NULL DEFAULT 30,
            UNIQUE (salon_id, instant)
        ) STRICT
        """,
        """
        CREATE TABLE IF NOT EXISTS idempotency (
            key TEXT PRIMARY KEY,
            body BLOB NOT NULL,
            response BLOB NOT NULL
        ) STRICT
        """,
    ]

    /// A database of before bookings had a length: all were of half an hour.
    private static func addMissingColumns(in database: borrowing Database) throws {
        let columns = try database.query("SELECT name FROM pragma_table_info('appointments')")
        if columns.contains([.text("minutes")]) { return }
        _ = try database.query(
            "ALTER TABLE appointments ADD COLUMN minutes INTEGER NOT NULL DEFAULT 30"
        )
    }

    /// Books `minutes` within one transaction, and gives the bytes of the answer; the same bytes again when
    /// `key` was used for the same body before.
    ///
    /// `check` is asked only about a booking that is new.
    func book(
        _ request: BookingRequest,
        minutes: Int,
        body: [UInt8],
        key: String?,
        check: () throws -> Void
    ) throws -> [UInt8] {
        try database.transaction { database in
            if let key, let answer = try earlierAnswer(to: key, body, in: database) {
                return answer
            }
            try check()
            let appointment = Appointment(booking: request, id: Self.makeID(), version: 1)
            try refuseOverlap(with: request, minutes, in: database)
            try insert(appointment, minutes, in: database)
            let answer = AppointmentCodec.encode(appointment)
            if let key {
                _ = try database.query(
                    "INSERT INTO idempotency (key, body, response) VALUES (?, ?, ?)",
                    [.text(key), .blob(body), .blob(answer)]
                )
            }
            return answer
        }
    }

    /// All bookings, in the order in which they take place.
    func appointments() throws -> [Appointment] {
        try database.read { database in
            try database.query(
                """
                SELECT id, salon_id, instant, offset_minutes, phone, email, notes, version
                FROM appointments ORDER BY instant, salon_id
                """
            ).compactMap(Self.appointment)
        }
    }

    /// What is booked in a salon and overlaps a range.
    func busy(in salon: SalonID, from: Timestamp, to: Timestamp) throws -> [BusySpan] {
        try database.read { try Self.busy(salon, from: from, to: to, in: $0) }
    }

    private static func busy(
        _ salon: SalonID,
        from: Timestamp,
        to: Timestamp,
        in database: borrowing Database
    ) throws -> [BusySpan] {
        // No booking is longer than a day, so that the index bounds what is looked at.
        let rows = try database.query(
            """
            SELECT instant, minutes FROM appointments
            WHERE salon_id = ? AND instant > ? AND instant < ? AND instant + minutes * 60 > ?
            """,
            [
                .text(salon.description),
                .integer(from.advanced(bySeconds: -86_401).secondsSince1970),
                .integer(to.secondsSince1970), .integer(from.secondsSince1970),
            ]
        )
        return rows.compactMap { row in
            guard let start = row[0].integer, let minutes = row[1].integer else { return nil }
            return BusySpan(
                start: Timestamp(secondsSince1970: start),
                minutes: Int(clamping: minutes)
            )
        }
    }

    private func earlierAnswer(
        to key: String,
        _ body: [UInt8],
        in database: borrowing Database
    ) throws -> [UInt8]? {
        let rows = try database.query(
            "SELECT body, response FROM idempotency WHERE key = ?",
            [.text(key)]
        )
        guard let row = rows.first else { return nil }
        guard row[0].blob == body else {
            throw Problem(422, "idempotencyConflict", "the key was used for another booking")
        }
        return row[1].blob
    }

    private func refuseOverlap(
        with request: BookingRequest,
        _ minutes: Int,
        in database: borrowing Database
    ) throws {
        let wanted = BusySpan(start: request.time.instant, minutes: minutes)
        let overlapping = try Self.busy(
            request.salonID,
            from: wanted.start,
            to: wanted.end,
            in: database
        )
        if !overlapping.isEmpty {
            throw Problem(409, "slotUnavailable", "the slot is booked already")
        }
    }

    private func insert(
        _ appointment: Appointment,
        _ minutes: Int,
        in database: borrowing Database
    ) throws {
        let booking = appointment.booking
        do throws(Database.Failure) {
            _ = try database.query(
                """
                INSERT INTO appointments
                    (id, salon_id, instant, offset_minutes, phone, email, notes, version, minutes)
                VALUES (?, ?, ?, ?, ?, ?, ?, 1, ?)
                """,
                [
                    .optional(appointment.id), .text(booking.salonID.description),
                    .integer(booking.time.instant.secondsSince1970),
                    .integer(Int64(booking.time.offsetMinutes)), .text(booking.phone),
                    .optional(booking.email), .optional(booking.note),
                    .integer(Int64(minutes)),
                ]
            )
        } catch  where error.isUniqueViolation {
            throw Problem(409, "slotUnavailable", "the slot is booked already")
        } catch {
            throw error
        }
    }

    private static func appointment(_ row: [Database.Value]) -> Appointment? {
        guard row.count == 8, let salonID = row[1].text.flatMap({ SalonID($0) }),
            let instant = row[2].integer, let offset = row[3].integer, let phone = row[4].text
        else { return nil }
        let time = AppointmentTime(
            instant: Timestamp(secondsSince1970: instant),
            offsetMinutes: Int(offset)
        )
        return Appointment(
            booking: BookingRequest(
                salonID: salonID,
                time: time,
                phone: phone,
                email: row[5].text,
                note: row[6].text
            ),
            id: row[0].text,
            version: row[7].integer.map { Int($0) }
        )
    }

    private static func makeID() -> String {
        var random = SystemRandomNumberGenerator()
        return SalonID(high: random.next(), low: random.next()).description
    }
}
