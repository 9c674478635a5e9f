import Domain

extension StoredAppointment: StoredRow {
    /// The columns in the order of ``values`` and ``init(row:)``.
    package static let columns = """
        salon_id, id, instant, offset_minutes, minutes, status, version, phone, email, notes,
        idempotency_key, service_id, staff_id, staff_assigned, seats, buffer_before, buffer_after
        """

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

    package var values: [any SQLParameter] {
        [
            booking.salonID, id, booking.time.instant, booking.time.offsetMinutes, minutes,
            status.name, version, booking.phone, booking.email, booking.note, idempotencyKey,
            booking.options.serviceID, booking.options.staffID, isStaffAssigned,
            booking.options.seats, bufferBefore, bufferAfter,
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
            isStaffAssigned: row.bool(13),
            idempotencyKey: row.optionalText(10)
        )
    }
}
