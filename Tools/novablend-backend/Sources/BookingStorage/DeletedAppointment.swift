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
    package func hasEnded(before instant: Timestamp) -> Bool { endTime.instant < instant }
}
