import Domain

extension BookingStore {
    private static let columns = """
        id, salon_id, instant, offset_minutes, phone, email, notes, version, minutes, status,
        idempotency_key
        """
    private static let values = "(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)"

    static func entries(in database: borrowing Database) throws -> [Entry] {
        try database.query(
            "SELECT \(columns) FROM appointments ORDER BY instant, salon_id, id"
        ).compactMap(entry)
    }

    static func entry(_ id: String, in database: borrowing Database) throws -> Entry {
        let rows = try database.query(
            "SELECT \(columns) FROM appointments WHERE id = ?",
            [.text(id)]
        )
        guard let entry = rows.first.flatMap(entry) else {
            throw Problem(404, "appointmentNotFound", "no appointment has the id \(id)")
        }
        return entry
    }

    static func insert(_ entry: Entry, in database: borrowing Database) throws {
        try write("INSERT INTO appointments (\(columns)) VALUES \(values)", entry, in: database)
    }

    static func update(_ entry: Entry, in database: borrowing Database) throws {
        try write(
            "UPDATE appointments SET (\(columns)) = \(values) WHERE id = ?1",
            entry,
            in: database
        )
    }

    private static func write(
        _ statement: String,
        _ entry: Entry,
        in database: borrowing Database
    ) throws {
        do throws(Database.Failure) {
            _ = try database.query(statement, values(of: entry))
        } catch  where error.isUniqueViolation {
            throw taken
        } catch {
            throw error
        }
    }

    private static func values(of entry: Entry) -> [Database.Value] {
        let appointment = entry.appointment
        let booking = appointment.booking
        return [
            .optional(appointment.id), .text(booking.salonID.description),
            .integer(booking.time.instant.secondsSince1970),
            .integer(Int64(booking.time.offsetMinutes)), .text(booking.phone),
            .optional(booking.email), .optional(booking.note),
            .integer(Int64(appointment.version ?? 1)), .integer(Int64(entry.minutes)),
            .text(appointment.status.rawValue), .optional(entry.idempotencyKey),
        ]
    }

    private static func entry(_ row: [Database.Value]) -> Entry? {
        guard row.count == 11, let salonID = row[1].text.flatMap({ SalonID($0) }),
            let instant = row[2].integer, let offset = row[3].integer, let phone = row[4].text,
            let minutes = row[8].integer,
            let status = row[9].text.flatMap({ Appointment.Status(rawValue: $0) })
        else { return nil }
        let booking = BookingRequest(
            salonID: salonID,
            time: AppointmentTime(
                instant: Timestamp(secondsSince1970: instant),
                offsetMinutes: Int(clamping: offset)
            ),
            phone: phone,
            email: row[5].text,
            note: row[6].text
        )
        let appointment = Appointment(
            booking: booking,
            id: row[0].text,
            version: row[7].integer.map { Int(clamping: $0) },
            status: status
        )
        return Entry(
            appointment: appointment,
            minutes: Int(clamping: minutes),
            idempotencyKey: row[10].text
        )
    }
}
