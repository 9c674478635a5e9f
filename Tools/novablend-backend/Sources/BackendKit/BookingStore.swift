import Contract
import Domain
import JSON

/// The bookings in the database. Its unique constraint, not a check before it, stops the second
/// booking of a slot.
struct BookingStore: Sendable {
    let database: Database

    init(_ database: Database) throws {
        self.database = database
        try database.transaction { database in
            for statement in Self.schema { _ = try database.query(statement) }
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

    /// Books within one transaction, and gives the bytes of the answer; the same bytes again when
    /// `key` was used for the same body before.
    ///
    /// `check` is asked only about a booking that is new.
    func book(
        _ request: BookingRequest,
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
            try insert(appointment, in: database)
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

    /// The instants that are booked in a salon within a range.
    func bookedInstants(in salon: SalonID, from: Timestamp, to: Timestamp) throws -> Set<Int64> {
        try database.read { database in
            let rows = try database.query(
                "SELECT instant FROM appointments WHERE salon_id = ? AND instant BETWEEN ? AND ?",
                [
                    .text(salon.description), .integer(from.secondsSince1970),
                    .integer(to.secondsSince1970),
                ]
            )
            return Set(rows.compactMap { $0.first?.integer })
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

    private func insert(_ appointment: Appointment, in database: borrowing Database) throws {
        let booking = appointment.booking
        do throws(Database.Failure) {
            _ = try database.query(
                """
                INSERT INTO appointments
                    (id, salon_id, instant, offset_minutes, phone, email, notes, version)
                VALUES (?, ?, ?, ?, ?, ?, ?, 1)
                """,
                [
                    .optional(appointment.id), .text(booking.salonID.description),
                    .integer(booking.time.instant.secondsSince1970),
                    .integer(Int64(booking.time.offsetMinutes)), .text(booking.phone),
                    .optional(booking.email), .optional(booking.note),
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
