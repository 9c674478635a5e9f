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
        /// The caller's own booking at that time, or nil.
        public var ownBooking: OwnBooking?
        /// The caller's own hold at that time, or nil.
        public var ownHold: OwnHold?
        /// The buffers that are in the way of those who are not booked at the time itself.
        public var buffers: [BufferConflict]
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
    /// The caller's own bookings and holds at the salon, as far as they are known.
    var own: Own
    /// The explanation of the time that the request asked about; nil if it named none.
    public var explanation: Explanation?

    /// The time in which the slots start.
    public var range: Range<Timestamp> {
        search.range.start.instant..<max(search.range.start.instant, search.range.end.instant)
    }

    /// The salon.
    public var salon: Salon { search.schedule.salon }

    /// What the caller has booked and holds at a salon.
    struct Own {
        var bookings: [OwnBooking] = []
        var holds: [OwnHold] = []

        /// The first booking, and the first hold, that take time of those who could take an appointment
        /// in an interval.
        func taking(
            _ interval: Range<Timestamp>,
            of requirement: Requirement,
            at salon: Salon
        ) -> (booking: OwnBooking?, hold: OwnHold?) {
            func isTaking(_ appointment: Appointment) -> Bool {
                let busy = BusyInterval(of: appointment, at: salon)
                return busy.start < interval.upperBound && busy.end > interval.lowerBound
                    && requirement.includes(staffID: busy.staffID)
            }
            return (
                bookings.first { isTaking($0.appointment) },
                holds.first { isTaking($0.appointment) }
            )
        }
    }

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

    /// Whether ``slotMinutes`` is an assumption, because the salon does not state it: an appointment
    /// can start at any time within the hours, and without a service its length is not known.
    public var areSlotMinutesAssumed: Bool { salon.slotMinutes == nil }
}

extension Availability {
    /// The days of the range, in order. A time past midnight is listed with the day on whose hours it
    /// is, so an earlier day is listed, too, if the salon is open past midnight when the range starts.
    public var days: [AvailableDay] {
        let (start, end) = (search.range.start, search.range.end)
        guard start.instant < end.instant else { return [] }
        let openingDays = search.schedule.openingDays(of: slots.map(\.start.instant))
        let byDay = Dictionary(grouping: zip(openingDays, slots)) { $0.0 }
            .mapValues { $0.map(\.1) }
        let requested = requestedDates
        let days = Set(requested).union(byDay.keys).sorted().compactMap { date in
            let day = day(date, byDay[date] ?? [], isPart: !requested.contains(date))
            return day.times.isEmpty && !requested.contains(date) ? nil : day
        }
        if !days.isEmpty { return days }
        let openingDay = search.schedule.openingDays(of: [start.instant])[0]
        return [day(openingDay, [], isPart: true)]
    }

    /// The dates in the range; none if it starts in the hours past midnight of its last date.
    private var requestedDates: [CalendarDate] {
        let (start, end) = (search.range.start, search.range.lastMidnight)
        guard start.instant < end else { return [] }
        let last = clock.time(at: end.advanced(bySeconds: -1)).localTime.date
        let count = last.daysSince1970 - start.localTime.date.daysSince1970
        return (0...max(count, 0)).map { start.localTime.date.advanced(byDays: $0) }
    }

    /// `isPart` says whether only the hours of the day past midnight are in the range.
    private func day(_ date: CalendarDate, _ slots: [Slot], isPart: Bool) -> AvailableDay {
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
        let reason =
            isPart
            ? "no time after midnight is free" : reason(date, slots, isBooked: !times.isEmpty)
        return AvailableDay(
            date: date,
            offsetMinutes: clock.time(at: noon).offsetMinutes,
            hours: salon.hours(on: date),
            times: times,
            reason: isBookable ? nil : reason
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
        let needed = requirement.interval(from: slot.start.instant)
        let interval = needed.lowerBound..<max(needed.upperBound, slot.end.instant)
        let found = own.taking(interval, of: requirement, at: salon)
        return found.booking == nil && found.hold == nil ? .taken : .own
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
        let range = search.range
        let slots = search.schedule.slots(
            for: requirement,
            from: max(clock.start(of: date), range.start.instant),
            to: min(search.schedule.end(ofOpeningDay: date), range.end.instant),
            now: now.instant
        )
        let days = search.schedule.openingDays(of: slots.map(\.start.instant))
        return zip(days, slots).filter { $0.0 == date }.map(\.1)
    }
}

/// One day of an ``Availability``, on the salon's wall clock, with the times in its hours. If these
/// extend past midnight, the last times have the next date.
public struct AvailableDay: Sendable, Hashable {
    /// The state of a time that the salon's rules allow.
    public enum State: String, Sendable, CaseIterable {
        /// The time can be booked.
        case free
        /// The time may be free or taken, because the salon's bookings are not known.
        case unconfirmed
        /// The time is taken.
        case taken
        /// The caller's own booking or hold takes the time.
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
