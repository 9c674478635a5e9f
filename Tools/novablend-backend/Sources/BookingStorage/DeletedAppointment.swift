public import Domain

/// What is known about a deleted appointment, for those who follow changes.
public struct DeletedAppointment: Sendable, Hashable {
    /// How long it is retained: 30 days, in seconds.
    public static let retentionSeconds: Int64 = 30 * 86_400

    /// The id that it had.
    public var id: String
    /// The salon.
    public var salonID: SalonID
    /// Who had it, as in ``BookingRequest/caller``; empty if that was erased.
    public var caller: String

    /// Creates a deleted appointment.
    public init(id: String, salonID: SalonID, caller: String) {
        self.id = id
        self.salonID = salonID
        self.caller = caller
    }
}

extension StoredAppointment {
    /// What remains in the row of the appointment after it was deleted: who had it, if
    /// `isAnonymous` is false, so that they are informed.
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

    /// Whether it ended before an instant.
    package func hasEnded(before instant: Timestamp) -> Bool { endTime.instant < instant }
}
