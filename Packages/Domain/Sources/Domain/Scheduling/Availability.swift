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

extension Availability {
    /// The days of the range, in order.
    public var days: [AvailableDay] {
        let (start, end) = (search.range.start, search.range.end)
        guard start.instant < end.instant else { return [] }
        let byDate = Dictionary(grouping: slots) { $0.start.localTime.date }
        let last = clock.time(at: end.instant.advanced(bySeconds: -1)).localTime.date
        var date = start.localTime.date
        var days: [AvailableDay] = []
        while date <= last {
            days.append(day(date, byDate[date] ?? []))
            let next = date.advanced(byDays: 1)
            // The last day of the calendar has no successor.
            if next == date { break }
            date = next
        }
        return days
    }

    private func day(_ date: CalendarDate, _ slots: [Slot]) -> AvailableDay {
        let times = slots.filter(isShown)
            .map { slot in
                AvailableDay.Time(
                    start: slot.start,
                    end: slot.end,
                    state: state(of: slot),
                    free: areBookingsKnown ? slot.free : nil,
                    staff: slot.staff
                )
            }
        let noon = clock.reading(of: LocalTime(date, TimeOfDay(minuteOfDay: 720))).first
        let isBookable = times.contains { $0.state == .free || $0.state == .unconfirmed }
        return AvailableDay(
            date: date,
            offsetMinutes: clock.time(at: noon).offsetMinutes,
            hours: salon.hours(on: date),
            times: times,
            reason: isBookable ? nil : reason(date, slots, isBooked: !times.isEmpty)
        )
    }

    /// Whether a slot is shown. Past slots are not, nor are slots that cannot be booked because of
    /// the lead time, the furthest day, or a rule of the server that the salon does not state.
    private func isShown(_ slot: Slot) -> Bool {
        if case .server = source, !slot.isAvailable, slot.free ?? 0 >= requirement.count {
            return false
        }
        let rule = windowRule(blocking: slot)
        return rule == nil || slot.isAvailable && rule != .past
    }

    private func state(of slot: Slot) -> AvailableDay.State {
        if slot.isAvailable { return areBookingsKnown ? .free : .unconfirmed }
        let isOwn = ownBookings.contains {
            $0.appointment.overlaps(slot.start.instant, slot.end.instant, at: salon)
                && requirement.includes(staffID: $0.appointment.booking.options.staffID)
        }
        return isOwn ? .own : .taken
    }

    /// Why nothing is free on `date`.
    private func reason(_ date: CalendarDate, _ slots: [Slot], isBooked: Bool) -> String {
        if isBooked { return "fully booked" }
        if search.areRulesKnown, slots.isEmpty, salon.hours(on: date).isEmpty {
            return "the salon is closed on this day"
        }
        let expected = search.areRulesKnown ? expectedSlots(on: date) : []
        guard let last = slots.last ?? expected.last else {
            return search.areRulesKnown
                ? "no appointment starts in the requested part of this day" : Self.noneListed
        }
        switch windowRule(blocking: last) {
        case .past?: return "the times of this day are past"
        case let rule?: return rule.reason(for: last.start, in: salon)
        case nil: return Self.noneListed
        }
    }

    private static let noneListed = "the server lists no free time"

    /// The rule that blocks a slot because of its distance from now: it is past, too soon, or too
    /// far ahead. Only past slots are known to be blocked if the rules of the salon are not known.
    private func windowRule(blocking slot: Slot) -> BlockingRule? {
        var window = BookingWindow(of: salon, on: clock, now: now.instant)
        let rule = window.rule(blocking: slot.start.instant)
        return search.areRulesKnown || rule == .past ? rule : nil
    }

    /// The slots according to the salon's hours. A server may omit slots that are past or too far
    /// ahead.
    private func expectedSlots(on date: CalendarDate) -> [Slot] {
        let midnights = [date, date.advanced(byDays: 1)].map {
            clock.reading(of: LocalTime($0, TimeOfDay(minuteOfDay: 0))).first
        }
        return search.schedule.slots(
            for: requirement,
            from: max(midnights[0], search.range.start.instant),
            to: min(midnights[1], search.range.end.instant),
            now: now.instant
        )
    }
}

extension Appointment {
    /// Whether this appointment at `salon` overlaps the interval from `start` to `end`.
    func overlaps(_ start: Timestamp, _ end: Timestamp, at salon: Salon) -> Bool {
        let busy = BusyInterval(of: self, at: salon)
        return busy.start < end && busy.end > start
    }
}

/// One day of an ``Availability``, on the salon's wall clock.
public struct AvailableDay: Sendable, Hashable {
    /// The state of a time that the salon's rules allow.
    public enum State: String, Sendable, CaseIterable {
        /// The time can be booked.
        case free
        /// The time may be free or taken, because the salon's bookings are not known.
        case unconfirmed
        /// The time is taken.
        case taken
        /// The caller's own booking takes the time.
        case own
    }

    /// A time at which the salon's rules allow an appointment to start.
    public struct Time: Sendable, Hashable {
        /// The start.
        public var start: AppointmentTime
        /// The end.
        public var end: AppointmentTime
        /// Whether the time is free.
        public var state: State
        /// The number of staff members or seats that are free; nil if it is not known.
        public var free: Int?
        /// Which staff members could take the appointment; nil if it is not known, if it was not asked
        /// for, or if the salon has no staff.
        public var staff: [StaffAvailability]?

        /// Creates a time.
        ///
        /// - Parameters:
        ///   - start: The start.
        ///   - end: The end.
        ///   - state: Whether the time is free.
        ///   - free: The number of staff members or seats that are free; nil if it is not known.
        ///   - staff: Which staff members could take the appointment; nil if it is not known.
        public init(
            start: AppointmentTime,
            end: AppointmentTime,
            state: State,
            free: Int? = nil,
            staff: [StaffAvailability]? = nil
        ) {
            self.start = start
            self.end = end
            self.state = state
            self.free = free
            self.staff = staff
        }
    }

    /// The date.
    public var date: CalendarDate
    /// The UTC offset of the salon's clock at noon, in minutes.
    public var offsetMinutes: Int
    /// The hours that start on this date, in order; empty if the salon is closed.
    public var hours: [OpeningHours]
    /// The times, in order, without those that a rule blocks, such as past times.
    public var times: [Time]
    /// Why no time is free or unconfirmed; nil if at least one is.
    public var reason: String?

    /// Creates a day.
    ///
    /// - Parameters:
    ///   - date: The date.
    ///   - offsetMinutes: The UTC offset of the salon's clock at noon, in minutes.
    ///   - hours: The hours that start on this date, in order.
    ///   - times: The times, in order, without those that a rule blocks.
    ///   - reason: Why no time is free or unconfirmed; nil if at least one is.
    public init(
        date: CalendarDate,
        offsetMinutes: Int,
        hours: [OpeningHours],
        times: [Time],
        reason: String? = nil
    ) {
        self.date = date
        self.offsetMinutes = offsetMinutes
        self.hours = hours
        self.times = times
        self.reason = reason
    }
}
