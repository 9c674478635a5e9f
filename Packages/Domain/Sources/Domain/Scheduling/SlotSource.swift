/// The port to the slots that a server offers.
public protocol SlotSource: Sendable {
    /// Requests the slots of the salon `id` that start within the range. `to` is exclusive.
    ///
    /// - Parameters:
    ///   - options: What the customer chooses.
    ///   - isExplained: Whether each slot should state which staff members are free.
    func slots(
        of id: SalonID,
        from: AppointmentTime,
        to: AppointmentTime,
        options: BookingOptions,
        isExplained: Bool
    ) async throws(ServerError) -> OfferedSlots
}

/// The result of requesting slots from a server.
public enum OfferedSlots: Sendable, Hashable {
    /// The slots, in order.
    case slots([Slot])
    /// The server does not list slots.
    case unsupported
    /// The server has no such salon.
    case salonNotFound
}
