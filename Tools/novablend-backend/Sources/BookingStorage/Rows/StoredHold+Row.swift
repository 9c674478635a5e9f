import Domain

extension StoredHold: StoredRow {
    /// The columns that ``init(row:)`` reads.
    package static let columns = """
        id, caller, salon_id, instant, offset_minutes, minutes, buffer_before, buffer_after, phone,
        service_id, staff_id, staff_assigned, seats, expires_at
        """
    /// The columns in the order of ``values(of:)``.
    package static let insertedColumns = "\(columns), idempotency_key, key_caller, body_fingerprint"

    static let delete = SQL("DELETE FROM holds WHERE id = $1")
    package static let end = SQL("UPDATE holds SET expires_at = $2 WHERE id = $1")

    /// - Parameter request: The request that makes the hold; nil if it has no key.
    package func values(of request: KeyedRequest?) -> [any SQLParameter] {
        [
            id, caller, booking.salonID, booking.time.instant, booking.time.offsetMinutes, minutes,
            bufferBefore, bufferAfter, booking.phone, booking.options.serviceID,
            booking.options.staffID, isStaffAssigned, booking.options.seats, expiresAt,
            request?.key.text, request?.key.caller ?? "", request?.storedFingerprint,
        ]
    }

    package init(row: some ColumnReader) throws(StorageFailure) {
        guard let salonID = row.salonID(2) else {
            throw StorageFailure(.corrupted, "a stored hold is invalid")
        }
        let options = BookingOptions(
            serviceID: row.optionalText(9),
            staffID: row.optionalText(10),
            seats: row.int(12)
        )
        let booking = BookingRequest(
            salonID: salonID,
            time: AppointmentTime(instant: row.timestamp(3), offsetMinutes: row.int(4)),
            phone: row.text(8),
            options: options
        )
        self.init(
            id: row.text(0),
            caller: row.text(1),
            booking: booking,
            minutes: row.int(5),
            bufferBefore: row.int(6),
            bufferAfter: row.int(7),
            isStaffAssigned: row.bool(11),
            expiresAt: row.timestamp(13)
        )
    }
}

/// A hold that the key of a request has made, and the body of that request.
package struct KeyedHold: StoredRow {
    package static let columns = "\(StoredHold.columns), body_fingerprint"

    let hold: StoredHold
    let bodyFingerprint: UInt64

    package init(row: some ColumnReader) throws(StorageFailure) {
        hold = try StoredHold(row: row)
        bodyFingerprint = UInt64(bitPattern: row.integer(14))
    }
}
