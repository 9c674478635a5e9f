/// The port to the slots that a server offers.
public protocol SlotSource: Sendable {
    /// The slots of the salon `id` that begin within the range.
    func slots(
        of id: SalonID,
        from: AppointmentTime,
        to: AppointmentTime
    ) async throws(ServerError) -> OfferedSlots
}

/// A server's answer to a request for slots.
public enum OfferedSlots: Sendable, Hashable {
    /// The slots in order.
    case slots([Slot])
    /// The server does not list slots.
    case notOffered
    /// The server has no such salon.
    case salonNotFound
}
