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

    /// Whether a time can be booked.
    public enum Verdict: Sendable, Hashable {
        /// The time can be booked.
        case bookable
        /// A rule blocks it.
        case blocked(BlockingRule)
        /// It is not known whether the time is taken, or which rule of the server blocks it.
        case unknown
    }

    /// Whether a time can be booked and, if not, why.
    public struct Explanation: Sendable, Hashable {
        /// The time.
        public var time: AppointmentTime
        /// Whether the time can be booked.
        public var verdict: Verdict
        /// Which staff members could take the appointment; nil if it is not known, or if the salon
        /// has no staff.
        public var staff: [StaffAvailability]?
        /// The caller's own booking that takes the time, or nil.
        public var ownBooking: OwnBooking?
        /// The next times that can be booked, as far as is known; empty if this one can.
        public var alternatives: [AppointmentTime]

        /// The rule that blocks the time; nil if no known rule does.
        public var rule: BlockingRule? {
            if case .blocked(let rule) = verdict { rule } else { nil }
        }
    }

    /// The rules of the salon, the range, and what the appointment needs.
    let search: ListSlots.Search
    /// The current time, on the salon's wall clock.
    public var now: AppointmentTime
    /// The slots, in order.
    public var slots: [Slot]
    /// The source of the slots.
    public var source: Source
    /// The caller's own bookings at the salon, as far as they are known.
    var ownBookings: [OwnBooking]
    /// The explanation of the time that the request asked about; nil if it named none.
    public var explanation: Explanation?

    /// The salon.
    public var salon: Salon { search.schedule.salon }

    /// The salon's wall clock.
    public var clock: SalonClock { search.schedule.clock }

    /// What the appointment needs.
    public var requirement: Requirement { search.requirement }

    /// Whether it is known which slots are booked. If not, an available slot may still be taken.
    public var areBookingsKnown: Bool {
        guard case .computed(let provenance) = source else { return true }
        return provenance.source != .none && provenance.isComplete
    }

    /// The slot length in minutes: the one that the salon states, otherwise that of the first slot,
    /// and 30 if there are no slots.
    public var slotMinutes: Int {
        salon.slotMinutes ?? slots.first?.minutes ?? salon.appointmentMinutes
    }

    /// Whether ``slotMinutes`` is an assumption, because neither the server nor the salon states
    /// it.
    public var areSlotMinutesAssumed: Bool {
        if case .computed = source { salon.slotMinutes == nil } else { false }
    }
}
