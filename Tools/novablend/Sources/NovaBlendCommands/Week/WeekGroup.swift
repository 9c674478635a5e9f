import Domain

/// The rows of a week that belong to one staff member, or to the salon.
struct WeekGroup {
    /// The staff member; nil for the salon, and for bookings without a staff member.
    private let member: StaffMember?
    private let bookings: [WeekBooking]
    /// The times that can be booked or are taken; nil if the group only has bookings.
    private let times: [AvailableDay.Time]?

    init(member: StaffMember?, _ days: [AvailableDay], _ bookings: [WeekBooking]) {
        self.member = member
        self.bookings = bookings.filter { member == nil || $0.staffID == member?.id }
        times = days.flatMap(\.times)
    }

    init(unassigned: [WeekBooking]) {
        (member, bookings, times) = (nil, unassigned, nil)
    }

    /// The heading; nil for the salon.
    var title: String? { member?.name ?? (times == nil ? "(no staff member)" : nil) }

    /// The rows that start on a day, in order.
    func rows(on date: CalendarDate, of week: Week) -> [WeekRow] {
        let day = week.interval(of: date)
        let booked = bookings.filter { day.contains($0.appointment.booking.time.instant) }.map {
            WeekRow(start: $0.start, end: $0.end(at: week.salon), content: .booked($0))
        }
        guard let times else { return booked }
        let open = week.schedule.workingTimes(of: member, from: day.lowerBound, to: day.upperBound)
        if open.isEmpty, freeRows(times, in: day).isEmpty {
            let isClosed = week.salon.hours(on: date).isEmpty
            let content = isClosed ? WeekRow.Content.closed : .dayOff
            return [WeekRow(start: day.lowerBound, end: nil, content: content)] + booked
        }
        var rows = booked + pauses(open, in: day) + unbooked(open, times, in: day, week)
        if rows.isEmpty {
            // There are no slots, because the opening hours are shorter than an appointment.
            rows = open.clipped(to: day).map {
                WeekRow(start: $0.lowerBound, end: $0.upperBound, content: .unavailable)
            }
        }
        // At the same time, what is booked comes before what is free.
        return rows.enumerated()
            .sorted { ($0.element.start, $0.offset) < ($1.element.start, $1.offset) }
            .map(\.element)
    }

    private func pauses(
        _ open: [Range<Timestamp>],
        in day: Range<Timestamp>
    ) -> [WeekRow] {
        let own = open.filter { day.contains($0.lowerBound) }
        return zip(own, own.dropFirst()).compactMap { one, next in
            one.upperBound < next.lowerBound
                ? WeekRow(start: one.upperBound, end: next.lowerBound, content: .pause) : nil
        }
    }

    /// The rows of what is not booked, as far as bookings are known, within a day.
    private func unbooked(
        _ open: [Range<Timestamp>],
        _ times: [AvailableDay.Time],
        in day: Range<Timestamp>,
        _ week: Week
    ) -> [WeekRow] {
        let open = open.clipped(to: day)
        let busy = bookings.map { BusyInterval(of: $0.appointment, at: week.salon) }
            .map { $0.start..<$0.end }
        let free = freeRows(times, in: day)
        let freeIntervals = free.compactMap { row in row.end.map { row.start..<$0 } }
        let past = open.clipped(to: min(day.lowerBound, week.now)..<week.now)
            .subtracting(busy + freeIntervals)
        let taken = times.filter { $0.state == .taken || $0.state == .own }.map(\.interval)
            .filter { time in !busy.contains { $0.overlaps(time) } }.union.clipped(to: day)
            .subtracting(freeIntervals)
        let rest = open.subtracting(busy + freeIntervals + past + taken).filter {
            $0.upperBound.seconds(since: $0.lowerBound) >= Int64(week.salon.appointmentMinutes) * 60
        }
        func rows(_ intervals: [Range<Timestamp>], _ content: WeekRow.Content) -> [WeekRow] {
            intervals.map { WeekRow(start: $0.lowerBound, end: $0.upperBound, content: content) }
        }
        return free + rows(past, .past) + rows(taken, .taken) + rows(rest, .unavailable)
    }

    /// The free times of a day. Times that touch are one row if the same number is free. Times that
    /// overlap are always one row, with the smallest number.
    private func freeRows(
        _ times: [AvailableDay.Time],
        in day: Range<Timestamp>
    ) -> [WeekRow] {
        var runs: [(interval: Range<Timestamp>, isKnown: Bool, free: Int?)] = []
        for time in times where time.state == .free || time.state == .unconfirmed {
            for part in [time.interval].clipped(to: day) where !part.isEmpty {
                let (isKnown, free) = (time.state == .free, time.free)
                if let last = runs.last, last.isKnown == isKnown,
                    part.lowerBound < last.interval.upperBound
                        || part.lowerBound == last.interval.upperBound && last.free == free
                {
                    let end = max(last.interval.upperBound, part.upperBound)
                    let fewest = [last.free, free].compactMap(\.self).min()
                    runs[runs.count - 1] = (last.interval.lowerBound..<end, isKnown, fewest)
                } else {
                    runs.append((part, isKnown, free))
                }
            }
        }
        return runs.map { run in
            let content = run.isKnown ? WeekRow.Content.free(run.free) : .unconfirmed
            return WeekRow(
                start: run.interval.lowerBound,
                end: run.interval.upperBound,
                content: content
            )
        }
    }
}

extension AvailableDay.Time {
    /// The time without buffers.
    fileprivate var interval: Range<Timestamp> {
        start.instant..<max(start.instant, end.instant)
    }
}

extension WeekBooking {
    fileprivate var start: Timestamp { appointment.booking.time.instant }

    /// The end; nil if it is not known.
    fileprivate func end(at salon: Salon) -> Timestamp? {
        appointment.end(at: salon).map { max(start, $0.instant) }
    }
}
