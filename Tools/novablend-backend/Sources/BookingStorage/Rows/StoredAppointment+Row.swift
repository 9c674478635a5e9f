import Domain

extension StoredAppointment: StoredRow {
    /// The columns in the order of ``values`` and ``init(row:)``.
    package static let columns = """
        salon_id, id, instant, offset_minutes, minutes, status, version, phone, email, notes,
        idempotency_key, service_id, staff_id, staff_assigned, seats, buffer_before, buffer_after,
        service_name, price_amount, price_currency
        """

    /// The number of ``columns``.
    package static let columnCount: Int32 = 20

    package static let byID = SQL(
        "SELECT \(columns) FROM appointments WHERE id = $1 AND deleted_at IS NULL"
    )
    /// The first $3 appointments after the position ($1, $2).
    package static let page = SQL(
        """
        SELECT \(columns) FROM appointments
        WHERE (salon_id, id) > ($1, $2) AND deleted_at IS NULL ORDER BY salon_id, id LIMIT $3
        """
    )
    /// The first $3 appointments of the salon $1 after the id $2.
    package static let pageOfSalon = SQL(
        """
        SELECT \(columns) FROM appointments
        WHERE salon_id = $1 AND id > $2 AND deleted_at IS NULL ORDER BY id LIMIT $3
        """
    )

    /// The first $2 appointments of the caller $3 after the id $1.
    package static let pageOfCaller = SQL(
        """
        SELECT \(columns) FROM appointments
        WHERE caller = $3 AND id > $1 AND deleted_at IS NULL ORDER BY id LIMIT $2
        """
    )
    /// Whether an active appointment of the salon $1 starts after $2.
    package static let anyActiveAfter = SQL(
        """
        SELECT true FROM appointments
        WHERE status = 'booked' AND salon_id = $1 AND instant > $2 LIMIT 1
        """
    )

    /// The first `limit` appointments after a position that are visible to the role.
    static func page(
        after position: AppointmentPosition?,
        limit: Int,
        visibleTo role: Principal.Role
    ) -> Query<[StoredAppointment]> {
        let (salon, id) = position.values
        switch role {
        case .administrator: return Query(page, salon, id, limit)
        case .customer(let phone): return Query(pageOfCaller, id, limit, phone)
        case .staff(let own):
            let own = own.description
            // The position may be before the first appointment of the salon, or after the last one.
            if salon > own { return .value([]) }
            return Query(pageOfSalon, own, salon == own ? id : "", limit)
        }
    }

    /// The first `limit` active appointments of a salon that start at `first` or later and take time
    /// after `end`, in the order in which they start.
    ///
    /// - Parameter sql: Its parameters are the others.
    static func active(
        _ sql: SQL,
        of salon: SalonID,
        startingFrom first: Timestamp,
        endingAfter end: Timestamp,
        limit: Int
    ) -> Query<[StoredAppointment]> {
        Query(sql, salon, first, end, limit)
    }

    package var values: [any SQLParameter] {
        [
            booking.salonID, id, booking.time.instant, booking.time.offsetMinutes, minutes,
            status.name, version, booking.phone, booking.email, booking.note, idempotencyKey,
            booking.options.serviceID, booking.options.staffID, isStaffAssigned,
            booking.options.seats, bufferBefore, bufferAfter, serviceName, price?.amount,
            price?.currency,
        ]
    }

    package init(row: some ColumnReader) throws(StorageFailure) {
        guard let salonID = row.salonID(0), let status = Appointment.Status(defined: row.text(5))
        else { throw StorageFailure(.corrupted, "a stored appointment is invalid") }
        let time = AppointmentTime(instant: row.timestamp(2), offsetMinutes: row.int(3))
        let booking = BookingRequest(
            salonID: salonID,
            time: time,
            phone: row.text(7),
            email: row.optionalText(8),
            note: row.optionalText(9),
            options: BookingOptions(
                serviceID: row.optionalText(11),
                staffID: row.optionalText(12),
                seats: row.int(14)
            )
        )
        self.init(
            id: row.text(1),
            booking: booking,
            version: row.int(6),
            status: status,
            minutes: row.int(4),
            bufferBefore: row.int(15),
            bufferAfter: row.int(16),
            serviceName: row.optionalText(17),
            price: row.isNull(18) ? nil : Price(amount: row.int(18), currency: row.text(19)),
            isStaffAssigned: row.bool(13),
            idempotencyKey: row.optionalText(10)
        )
    }
}
