extension Schedule {
    /// The slots that start at or after `from` and before `to`, in order. The range ends
    /// ``maximumRangeSeconds`` after `from` at the latest.
    public func slots(
        from: Timestamp,
        to: Timestamp,
        busy: [BusyInterval] = [],
        now: Timestamp
    ) -> [Slot] {
        let to = min(to, from.advanced(bySeconds: Self.maximumRangeSeconds))
        guard from < to else { return [] }
        var queue = busy.sorted { $0.start < $1.start }[...]
        var busyUntil = Timestamp(secondsSince1970: .min)
        return starts(from: from, to: to).map { start in
            let end = start.advanced(bySeconds: slotSeconds)
            while let interval = queue.first, interval.start < end {
                busyUntil = max(busyUntil, interval.end)
                queue.removeFirst()
            }
            return Slot(
                start: clock.time(at: start),
                end: clock.time(at: end),
                isAvailable: busyUntil <= start
                    && bookingWindowRule(blocking: start, now: now) == nil
            )
        }
    }

    /// The start times of the first available slots, at most `count`, within two days after
    /// `instant`.
    public func alternatives(
        to instant: Timestamp,
        busy: [BusyInterval] = [],
        now: Timestamp,
        count: Int = 3
    ) -> [AppointmentTime] {
        let start = instant.advanced(bySeconds: 1)
        return slots(from: start, to: start.advanced(bySeconds: 172_800), busy: busy, now: now)
            .filter(\.isAvailable).prefix(count).map(\.start)
    }

    private func starts(from: Timestamp, to: Timestamp) -> [Timestamp] {
        // Openings may extend past midnight, and a clock may skip a day, so the search starts two
        // days early and ends one day late.
        let first = clock.time(at: from).localTime.date.advanced(byDays: -2)
        let last = clock.time(at: to).localTime.date.advanced(byDays: 1)
        var starts: [Timestamp] = []
        var date = first
        while date <= last {
            if let opening = opening(on: date) {
                starts += self.starts(in: opening, from: from, to: to)
            }
            let next = date.advanced(byDays: 1)
            // The last day of the calendar has no successor.
            if next == date { break }
            date = next
        }
        return starts
    }

    private func starts(in opening: Opening, from: Timestamp, to: Timestamp) -> [Timestamp] {
        var starts: [Timestamp] = []
        var start = opening.start
        while start < to, start.advanced(bySeconds: slotSeconds) <= opening.end {
            if start >= from { starts.append(start) }
            start = start.advanced(bySeconds: slotSeconds)
        }
        return starts
    }
}
