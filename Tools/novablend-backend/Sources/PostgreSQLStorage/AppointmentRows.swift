import BookingStorage
import Domain

/// Reads and writes the table of appointments.
enum AppointmentRows {
    static let columns = """
        salon_id, id, instant, offset_minutes, minutes, status, version, phone, email, notes,
        idempotency_key, service_id, staff_id, staff_assigned, seats, buffer_before, buffer_after
        """
    private static let values = """
        $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19
        """
    private static let insertRow = SQL(
        "INSERT INTO appointments (\(columns), busy_start, busy_end) VALUES (\(values))"
    )
    private static let updateRow = SQL(
        """
        UPDATE appointments
        SET (\(columns), busy_start, busy_end, change) = ROW (\(values), \(ChangeRows.thisChange))
        WHERE salon_id = $1 AND id = $2
        """
    )
    static let byID = SQL(
        "SELECT \(columns) FROM appointments WHERE id = $1 AND deleted_at IS NULL"
    )
    private static let byIDForUpdate = SQL("\(byID.text) FOR UPDATE")
    static let pageOfAll = SQL(
        """
        SELECT \(columns) FROM appointments 
        WHERE (salon_id, id) > ($1, $2) AND deleted_at IS NULL ORDER BY salon_id, id LIMIT $3
        """
    )
    /// The groups of the index of callers: the beginnings of all ids. Each one is found by the index.
    private static let groups = """
        WITH RECURSIVE groups (part) AS (
            (SELECT left(id, 6) FROM appointments ORDER BY left(id, 6) LIMIT 1)
            UNION ALL
            SELECT (
                SELECT left(id, 6) FROM appointments WHERE left(id, 6) > part
                ORDER BY left(id, 6) LIMIT 1
            ) FROM groups WHERE part IS NOT NULL
        )
        """
    static let pageOfCaller = SQL(
        """
        \(groups) SELECT \(columns) FROM groups JOIN appointments ON left(id, 6) = part
        WHERE caller = $4 AND (salon_id, id) > ($1, $2) AND deleted_at IS NULL
        ORDER BY salon_id, id LIMIT $3
        """
    )
    static let pageOfSalon = SQL(
        """
        SELECT \(columns) FROM appointments
        WHERE salon_id = $1 AND id > $2 AND deleted_at IS NULL ORDER BY id LIMIT $3
        """
    )
    private static let changeColumns =
        "\(columns), change, deleted_at IS NOT NULL, \(ChangePosition.hash)"
    private static let isChangedAfter = """
        (change, \(ChangePosition.hash)) > ($1, $2) AND change < \(ChangeRows.horizon)
        """
    private static let inOrder = "ORDER BY change, \(ChangePosition.hash) LIMIT $3"
    static let changed = SQL(
        "SELECT \(changeColumns) FROM appointments WHERE \(isChangedAfter) \(inOrder)"
    )
    /// Looks up the owner in each group of changes, which the index finds. The lateral join reads the
    /// groups in their order, and only until there are enough rows.
    private static func changed(of owner: String) -> SQL {
        let group = ChangePosition.group(of: "change")
        return SQL(
            """
            WITH RECURSIVE groups (part) AS (
                SELECT \(ChangePosition.group(of: "$1::xid8"))
                UNION ALL
                SELECT (
                    SELECT \(group) FROM appointments WHERE \(group) > part
                    ORDER BY \(group) LIMIT 1
                ) FROM groups WHERE part IS NOT NULL
            )
            SELECT found.* FROM groups CROSS JOIN LATERAL (
                SELECT \(changeColumns) FROM appointments
                WHERE \(group) = part AND \(owner) = $4 AND \(isChangedAfter) \(inOrder)
            ) AS found LIMIT $3
            """
        )
    }
    static let changedOfCaller = changed(of: "caller")
    static let changedOfSalon = changed(of: "salon_id")
    /// An appointment starts at most a day after the time that it occupies.
    static let activeInRange = SQL(
        """
        SELECT \(columns) FROM appointments
        WHERE status = 'booked' AND salon_id = $1 AND busy_start >= $4 AND busy_start < $3
            AND instant >= $2 AND instant < $3 AND id > $5
        ORDER BY id LIMIT $6
        """
    )

    private static let activeInRangeForUpdate = SQL("\(activeInRange.text) FOR UPDATE")

    static func insert(_ stored: StoredAppointment) -> Query<Int> { write(insertRow, stored) }

    static func update(_ stored: StoredAppointment) -> Query<Int> { write(updateRow, stored) }

    static func read(_ id: String) -> Query<StoredAppointment?> {
        Query(byID, id, firstRow: appointment)
    }

    /// Reads an appointment and locks it until the end of the transaction.
    static func lock(_ id: String) -> Query<StoredAppointment?> {
        Query(byIDForUpdate, id, firstRow: appointment)
    }

    static func page(
        after position: AppointmentPosition?,
        limit: Int,
        visibleTo role: Principal.Role
    ) -> Query<[StoredAppointment]> {
        let (salon, id) = (position?.salonID.description ?? "", position?.id ?? "")
        switch role {
        case .administrator:
            return Query(pageOfAll, salon, id, limit, eachRow: appointment)
        case .customer(let phone):
            return Query(pageOfCaller, salon, id, limit, phone, eachRow: appointment)
        case .staff(let own):
            let own = own.description
            // The position may be before the first appointment of the salon, or after the last one.
            if salon > own { return .value([]) }
            let after = salon == own ? id : ""
            return Query(pageOfSalon, own, after, limit, eachRow: appointment)
        }
    }

    /// The first active appointments of a salon that start in a range, by their ids. They can be
    /// locked until the end of the transaction.
    static func active(
        of salon: SalonID,
        startingIn range: Range<Timestamp>,
        after id: String? = nil,
        limit: Int,
        areLocked: Bool = false
    ) -> Query<[StoredAppointment]> {
        let (start, end) = (range.lowerBound, range.upperBound)
        let earliest = start.advanced(bySeconds: -86_400)
        return Query(
            areLocked ? activeInRangeForUpdate : activeInRange,
            salon,
            start,
            end,
            earliest,
            id ?? "",
            limit,
            eachRow: appointment
        )
    }

    /// The first `limit` appointments whose last change is after a position, also deleted ones.
    static func changed(
        after position: ChangePosition,
        limit: Int,
        visibleTo role: Principal.Role
    ) -> Query<[FoundChange]> {
        let (number, last) = (position.number, position.lastAppointment)
        switch role {
        case .administrator:
            return Query(changed, number, last, limit, eachRow: change)
        case .customer(let phone):
            return Query(changedOfCaller, number, last, limit, phone, eachRow: change)
        case .staff(let own):
            return Query(changedOfSalon, number, last, limit, own, eachRow: change)
        }
    }

    private static func change(from row: QueryResult.Row) throws(DatabaseError) -> FoundChange {
        let appointment = try appointment(from: row)
        return FoundChange(
            number: row.integer(17),
            place: ChangePosition.element(hash: row.integer(19)),
            element: row.bool(18)
                ? .deletedAppointment(appointment.deleted) : .appointment(appointment)
        )
    }

    private static func write(_ sql: SQL, _ stored: StoredAppointment) -> Query<Int> {
        let booking = stored.booking
        return Query(
            sql,
            booking.salonID,
            stored.id,
            booking.time.instant,
            booking.time.offsetMinutes,
            stored.minutes,
            stored.status.name,
            stored.version,
            booking.phone,
            booking.email,
            booking.note,
            stored.idempotencyKey,
            booking.options.serviceID,
            booking.options.staffID,
            stored.isStaffAssigned,
            booking.options.seats,
            stored.bufferBefore,
            stored.bufferAfter,
            stored.interval.start,
            stored.interval.end
        )
    }

    static func appointment(
        from row: QueryResult.Row
    ) throws(DatabaseError) -> StoredAppointment {
        guard let salonID = row.salonID(0), let status = Appointment.Status(defined: row.text(5))
        else { throw .corrupted("a stored appointment is invalid") }
        let booking = BookingRequest(
            salonID: salonID,
            time: AppointmentTime(
                instant: row.timestamp(2),
                offsetMinutes: Int(clamping: row.integer(3))
            ),
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
            isStaffAssigned: row.bool(13),
            idempotencyKey: row.optionalText(10)
        )
    }
}
