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
