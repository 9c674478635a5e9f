/// The slots of a salon within a time range, and their source.
public struct Availability: Sendable {
    /// The source of slots.
    public enum Source: Sendable {
        /// The server listed the slots.
        case server
        /// The client computed the slots from the salon's hours and the known appointments. The
        /// value is the provenance of those appointments.
        case computed(appointments: Provenance)
    }

    /// Whether one time can be booked.
    public struct Explanation: Sendable, Hashable {
        /// The time.
        public var time: AppointmentTime
        /// The rule that blocks it; nil if it can be booked.
        public var rule: BlockingRule?
        /// The next times that can be booked, if it is blocked.
        public var alternatives: [AppointmentTime]
    }

    /// The salon.
    public var salon: Salon
    /// The slots in order.
    public var slots: [Slot]
    /// Where they come from.
    public var source: Source
    /// The explanation of the requested time, if there was one.
    public var explanation: Explanation?

    /// Whether it is known which slots are booked. If not, a slot that the salon's rules allow may
    /// be free or taken.
    public var areBookingsKnown: Bool {
        if case .computed(let provenance) = source { provenance.source != .none } else { true }
    }

    /// The length in minutes that was assumed to cut the day into slots; nil if the server or the
    /// salon states one.
    public var assumedSlotMinutes: Int? {
        guard case .computed = source, salon.slotMinutes == nil else { return nil }
        return salon.appointmentMinutes
    }
}
