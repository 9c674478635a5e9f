import BookingStorage
import Domain

/// Reads and writes the table of appointments.
enum AppointmentRows {
    static let columns = """
        salon_id, id, instant, offset_minutes, minutes, status, version, phone, email, notes,
        idempotency_key, service_id, staff_id, staff_assigned, seats, buffer_before, buffer_after
        """

    private static let insert = SQL(
        """
        INSERT INTO appointments (\(columns), change)
        VALUES (
            ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17,
            \(ChangeRows.nextNumber)
        )
        """
    )
    private static let update = SQL(
        """
        UPDATE appointments SET (\(columns)) =
            (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17),
            change = \(ChangeRows.nextNumber)
        WHERE salon_id = ?1 AND id = ?2 RETURNING number
        """
    )
    static let byID = SQL(
        "SELECT \(columns) FROM appointments WHERE id = ?1 AND deleted_at IS NULL"
    )
    static let page = SQL(
        """
        SELECT \(columns) FROM appointments
        WHERE (salon_id, id) > (?1, ?2) AND deleted_at IS NULL ORDER BY salon_id, id LIMIT ?3
        """
    )
    /// The group of an appointment in the index of callers.
    static let group = "number >> 10"
    /// All groups. To search one caller, join them with the appointments.
    private static let groups = """
        WITH RECURSIVE groups (part) AS (
            SELECT min(number) >> 10 FROM appointments
            UNION ALL
            SELECT part + 1 FROM groups WHERE part < (SELECT max(number) >> 10 FROM appointments)
        )
        """
    private static let ofCaller = """
        groups CROSS JOIN appointments INDEXED BY appointments_of_callers
        WHERE \(group) = part AND caller
        """
    static let pageOfCaller = SQL(
        """
        \(groups) SELECT \(columns) FROM \(ofCaller) = ?4
            AND (salon_id, id) > (?1, ?2) AND deleted_at IS NULL
        ORDER BY salon_id, id LIMIT ?3
        """
    )
    static let pageOfSalon = SQL(
        """
        SELECT \(columns) FROM appointments
        WHERE salon_id = ?1 AND id > ?2 AND deleted_at IS NULL ORDER BY id LIMIT ?3
        """
    )
    private static let active = SQL(
        """
        SELECT \(columns) FROM appointments INDEXED BY active_appointments
        WHERE status = 'booked' AND salon_id = ?1 AND instant >= ?2 AND instant < ?3 AND id > ?4
        ORDER BY id LIMIT ?5
        """
    )

    static let changed = SQL(
        """
        SELECT \(columns), change, deleted_at IS NOT NULL FROM appointments
        WHERE change > ?1 ORDER BY change LIMIT ?2
        """
    )
    /// Reads all appointments of the caller, who has few.
    static let changedOfCaller = SQL(
        """
        \(groups) SELECT \(columns), change, deleted_at IS NOT NULL
        FROM \(ofCaller) = ?3 AND change > ?1 ORDER BY change LIMIT ?2
        """
    )
    /// Reads all changes, which must be few.
    static let recentlyChangedOfCaller = SQL(
        """
        SELECT \(columns), change, deleted_at IS NOT NULL
        FROM appointments INDEXED BY changed_appointments
        WHERE change > ?1 AND caller = ?3 ORDER BY change LIMIT ?2
        """
    )
    /// The maximum number of changes that are read to find those of a caller.
    private static let fewChanges: Int64 = 2_000
    /// How many bits of the number of a change do not matter for its group in the index of salons.
    static let changeGroupBits = 10
    /// Reads those of a salon in a group of changes.
    static let changedOfSalon = SQL(
        """
        SELECT \(columns), change, deleted_at IS NOT NULL
        FROM appointments INDEXED BY changes_of_salons
        WHERE change >> \(changeGroupBits) = ?4 AND salon_id = ?3 AND change > ?1
        ORDER BY change LIMIT ?2
        """
    )

    /// Returns the number of the row.
    static func insert(
        _ stored: StoredAppointment,
        in database: Database
    ) throws(StorageFailure) -> Int64 {
        try database.run(insert) { bind(stored, to: $0) }
        return database.lastRowID
    }

    /// Returns the number of the row.
    @discardableResult
    static func update(
        _ stored: StoredAppointment,
        in database: Database
    ) throws(StorageFailure) -> Int64 {
        let number = try database.first(update) {
            bind(stored, to: $0)
        } _: {
            $0.integer(0)
        }
        guard let number else { throw StorageFailure(.corrupted, "an appointment is missing") }
        return number
    }

    static func read(
        _ id: String,
        in database: Database
    ) throws(StorageFailure) -> StoredAppointment? {
        let found = try database.first(byID) {
            $0.bind(1, id)
        } _: {
            appointment(from: $0)
        }
        guard let found else { return nil }
        return try valid(found)
    }

    static func page(
        after position: AppointmentPosition?,
        limit: Int,
        visibleTo role: Principal.Role,
        in database: Database
    ) throws(StorageFailure) -> [StoredAppointment] {
        let (salon, id) = (position?.salonID.description ?? "", position?.id ?? "")
        switch role {
        case .administrator:
            return try read(page, salon, id, limit, in: database)
        case .customer(let phone):
            return try read(pageOfCaller, salon, id, limit, phone, in: database)
        case .staff(let own):
            let own = own.description
            // The position may be before the first appointment of the salon, or after the last one.
            if salon > own { return [] }
            return try read(pageOfSalon, own, salon == own ? id : "", limit, in: database)
        }
    }

    private static func read(
        _ page: SQL,
        _ salon: String,
        _ id: String,
        _ limit: Int,
        _ caller: String? = nil,
        in database: Database
    ) throws(StorageFailure) -> [StoredAppointment] {
        let found = try database.rows(page) { row in
            row.bind(1, salon)
            row.bind(2, id)
            row.bind(3, Int64(limit))
            if let caller { row.bind(4, caller) }
        } _: {
            appointment(from: $0)
        }
        return try found.map { (found) throws(StorageFailure) in try valid(found) }
    }

    static func active(
        of salon: SalonID,
        startingIn range: Range<Timestamp>,
        after id: String?,
        limit: Int,
        in database: Database
    ) throws(StorageFailure) -> [StoredAppointment] {
        let found = try database.rows(active) { row in
            row.bind(1, salon.description)
            row.bind(2, range.lowerBound.secondsSince1970)
            row.bind(3, range.upperBound.secondsSince1970)
            row.bind(4, id ?? "")
            row.bind(5, Int64(limit))
        } _: {
            appointment(from: $0)
        }
        return try found.map { (found) throws(StorageFailure) in try valid(found) }
    }

    /// The first `limit` appointments that are visible to the role and whose last change has a greater
    /// number, with that number. They can be deleted. `latest` is the number of the last change.
    static func changed(
        after number: Int64,
        before latest: Int64,
        limit: Int,
        visibleTo role: Principal.Role,
        in database: Database
    ) throws(StorageFailure) -> [(change: Int64, element: StoredChange.Element)] {
        switch role {
        case .administrator: return try changed(changed, number, limit, in: database)
        case .customer(let phone):
            let sql = latest - number > fewChanges ? changedOfCaller : recentlyChangedOfCaller
            return try changed(sql, number, limit, phone, in: database)
        case .staff(let salon):
            let salon = salon.description
            var found: [(change: Int64, element: StoredChange.Element)] = []
            var group = number >> changeGroupBits
            while found.count < limit, group <= latest >> changeGroupBits {
                let rest = limit - found.count
                found += try changed(changedOfSalon, number, rest, salon, group, in: database)
                group += 1
            }
            return found
        }
    }

    private static func changed(
        _ sql: SQL,
        _ number: Int64,
        _ limit: Int,
        _ owner: String? = nil,
        _ group: Int64? = nil,
        in database: Database
    ) throws(StorageFailure) -> [(change: Int64, element: StoredChange.Element)] {
        let found = try database.rows(sql) { row in
            row.bind(1, number)
            row.bind(2, Int64(limit))
            if let owner { row.bind(3, owner) }
            if let group { row.bind(4, group) }
        } _: { row in
            (change: row.integer(17), appointment: appointment(from: row), row.integer(18) != 0)
        }
        return try found.map { (change, appointment, isDeleted) throws(StorageFailure) in
            let stored = try valid(appointment)
            return (change, isDeleted ? .deletedAppointment(stored.deleted) : .appointment(stored))
        }
    }

    private static func bind(_ stored: StoredAppointment, to row: Statement) {
        let booking = stored.booking
        row.bind(1, booking.salonID.description)
        row.bind(2, stored.id)
        row.bind(3, booking.time.instant.secondsSince1970)
        row.bind(4, Int64(booking.time.offsetMinutes))
        row.bind(5, Int64(stored.minutes))
        row.bind(6, stored.status.name)
        row.bind(7, Int64(stored.version))
        row.bind(8, booking.phone)
        row.bind(9, booking.email)
        row.bind(10, booking.note)
        row.bind(11, stored.idempotencyKey)
        row.bind(12, booking.options.serviceID)
        row.bind(13, booking.options.staffID)
        row.bind(14, stored.isStaffAssigned ? 1 : 0)
        row.bind(15, Int64(booking.options.seats))
        row.bind(16, Int64(stored.bufferBefore))
        row.bind(17, Int64(stored.bufferAfter))
    }

    /// Nil if the row is invalid.
    static func appointment(from row: Statement) -> StoredAppointment? {
        guard let salonID = row.withBytes(0, { SalonID(utf8: $0) }),
            let status = Appointment.Status(defined: row.text(5))
        else { return nil }
        let time = AppointmentTime(
            instant: Timestamp(secondsSince1970: row.integer(2)),
            offsetMinutes: Int(clamping: row.integer(3))
        )
        let booking = BookingRequest(
            salonID: salonID,
            time: time,
            phone: row.text(7),
            email: row.optionalText(8),
            note: row.optionalText(9),
            options: BookingOptions(
                serviceID: row.optionalText(11),
                staffID: row.optionalText(12),
                seats: Int(clamping: row.integer(14))
            )
        )
        return StoredAppointment(
            id: row.text(1),
            booking: booking,
            version: Int(clamping: row.integer(6)),
            status: status,
            minutes: Int(clamping: row.integer(4)),
            bufferBefore: Int(clamping: row.integer(15)),
            bufferAfter: Int(clamping: row.integer(16)),
            isStaffAssigned: row.integer(13) != 0,
            idempotencyKey: row.optionalText(10)
        )
    }

    static func valid(
        _ found: StoredAppointment?
    ) throws(StorageFailure) -> StoredAppointment {
        guard let found else {
            throw StorageFailure(.corrupted, "a stored appointment is invalid")
        }
        return found
    }
}
