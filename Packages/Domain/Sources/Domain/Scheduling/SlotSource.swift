/// The port to the slots that a server offers.
public protocol SlotSource: Sendable {
    /// Requests the slots of a salon that start within a range.
    ///
    /// - Parameters:
    ///   - id: The salon.
    ///   - from: The start of the range.
    ///   - to: The end of the range, which is exclusive.
    ///   - options: What the customer chooses.
    ///   - isExplained: Whether each slot should state which staff members are free.
    ///   - enough: After how many available slots the later ones may be missing; nil for all of them.
    func slots(
        of id: SalonID,
        from: AppointmentTime,
        to: AppointmentTime,
        options: BookingOptions,
        isExplained: Bool,
        enough: Int?
    ) async throws(ServerError) -> OfferedSlots
}

/// The result of requesting slots from a server.
public enum OfferedSlots: Sendable, Hashable {
    /// The slots.
    case slots(SlotList)
    /// The server does not list slots.
    case unsupported
    /// The server has no such salon.
    case salonNotFound
}
