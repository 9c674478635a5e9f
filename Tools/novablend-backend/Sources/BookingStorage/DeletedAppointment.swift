public import Domain

/// What is known about a deleted appointment, for clients that follow changes.
public struct DeletedAppointment: Sendable, Hashable {
    /// How long the row of a deleted appointment is retained: 30 days, in seconds.
    public static let retentionSeconds: Int64 = 30 * 86_400

    /// The id that it had.
    public var id: String
    /// The salon.
    public var salonID: SalonID
    /// Who had the appointment, as in ``BookingRequest/caller``; empty if that was erased.
    public var caller: String

    /// Creates a deleted appointment.
    public init(id: String, salonID: SalonID, caller: String) {
        self.id = id
        self.salonID = salonID
        self.caller = caller
    }
}

extension StoredAppointment {
    /// What remains in the row of the appointment after it was deleted. Unless `isAnonymous` is
    /// true, the row retains who had the appointment, so that their feed of changes reports the
    /// deletion.
    package func emptied(isAnonymous: Bool) -> StoredAppointment {
        let booking = BookingRequest(
            salonID: booking.salonID,
            time: AppointmentTime(instant: Timestamp(secondsSince1970: 0)),
            phone: isAnonymous ? "" : booking.caller
        )
        return StoredAppointment(
            id: id,
            booking: booking,
            version: version + 1,
            status: .cancelled,
            minutes: 0
        )
    }

    /// The deleted appointment whose row this is.
    package var deleted: DeletedAppointment {
        DeletedAppointment(id: id, salonID: booking.salonID, caller: booking.caller)
    }

    /// Whether the appointment ended before an instant.
    package func hasEnded(before instant: Timestamp) -> Bool { takenUntil < instant }
}

extension DeletedAppointment {
    /// Marks the row of an appointment as deleted.
    static let mark = SQL("UPDATE appointments SET deleted_at = $2 WHERE id = $1")

    /// Makes positions before the change $1 too old, because its row is deleted.
    static let forget = SQL("UPDATE change_feed SET first_number = $1 WHERE first_number < $1")

    /// Deletes the results of the request that booked the appointment `$1` with the key `$2` in the
    /// salon `$3`, and of the requests that changed it. The keys remain, so that they cannot be
    /// used again. The result must contain the id of the appointment, because a different caller
    /// can use the same key.
    package static let deleteResults = SQL(
        """
        UPDATE idempotency_keys
        SET method = '', path = '', body_fingerprint = 0, result = '', appointment_id = NULL
        WHERE appointment_id = $1
            OR (key = $2 AND salon_id = $3 AND result LIKE '%"id":"' || $1 || '"%')
        """
    )
}

/// The id of an appointment, and whether the appointment has ended.
package struct ExaminedAppointment: StoredRow {
    /// The first $4 appointments after the position ($1, $2), and whether each ended before $3.
    package static let page = SQL(
        """
        SELECT salon_id, id, instant < $3 - minutes * 60 FROM appointments
        WHERE (salon_id, id) > ($1, $2) AND deleted_at IS NULL ORDER BY salon_id, id LIMIT $4
        """
    )

    let position: AppointmentPosition
    let hasEnded: Bool

    package init(row: some ColumnReader) throws(StorageFailure) {
        guard let salonID = row.salonID(0) else {
            throw StorageFailure(.corrupted, "a stored appointment is invalid")
        }
        position = AppointmentPosition(salonID: salonID, id: row.text(1))
        hasEnded = row.bool(2)
    }
}

extension EndedAppointments {
    /// Which of the first `limit` appointments after a position ended before an instant.
    static func query(
        before end: Timestamp,
        after position: AppointmentPosition?,
        limit: Int
    ) -> Query<EndedAppointments> {
        let (salon, id) = position.values
        return Query<[ExaminedAppointment]>(ExaminedAppointment.page, salon, id, end, limit).map {
            page in
            EndedAppointments(
                ids: page.filter(\.hasEnded).map(\.position.id),
                next: page.count == limit ? page.last?.position : nil
            )
        }
    }
}

extension AppointmentPosition? {
    /// The values of the position in a statement; those before all appointments if it is nil.
    var values: (salon: String, id: String) {
        (self?.salonID.description ?? "", self?.id ?? "")
    }
}

/// The appointments of a part of the list that have ended.
public struct EndedAppointments: Sendable, Hashable {
    /// The ids of those that have ended.
    public var ids: [String]
    /// The position of the last appointment that was examined; nil after the last one of all.
    public var next: AppointmentPosition?
}
