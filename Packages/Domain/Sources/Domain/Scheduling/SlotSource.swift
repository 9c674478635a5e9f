/// The port to the slots that a remote offers.
public protocol SlotSource: Sendable {
    /// The slots of the salon `id` that begin within the range.
    func slots(
        of id: SalonID,
        from: AppointmentTime,
        to: AppointmentTime
    ) async throws(RemoteError) -> OfferedSlots
}

/// What a remote says when it is asked for slots.
public enum OfferedSlots: Sendable, Hashable {
    /// These.
    case slots([Slot])
    /// It does not answer such questions.
    case notOffered
    /// It knows no such salon.
    case salonNotFound
}
