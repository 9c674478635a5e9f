/// The slots of a salon over a range, and how they are known.
public struct Availability: Sendable {
    /// How slots are known.
    public enum Source: Sendable {
        /// The remote said so.
        case remote
        /// From the hours of the salon and the appointments that are known, which came from there.
        case computed(appointments: Provenance)
    }

    /// What is said of one time.
    public struct Explanation: Sendable, Hashable {
        /// The time.
        public var time: AppointmentTime
        /// The rule that blocks it; nil when it can be booked.
        public var rule: BlockingRule?
        /// The next that can be booked, where it is blocked.
        public var alternatives: [AppointmentTime]
    }

    /// The salon.
    public var salon: Salon
    /// The slots in order.
    public var slots: [Slot]
    /// How they are known.
    public var source: Source
    /// What is said of the time that was to be explained.
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
