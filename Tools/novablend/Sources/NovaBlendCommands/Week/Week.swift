import Domain
import Zones

/// A week at a salon: who is booked when, and what is free.
struct Week {
    let schedule: Schedule
    /// The time at which the week is shown, without seconds.
    let now: Timestamp
    /// When the week begins.
    private let start: Timestamp
    /// The days of the week, in order. The first one is the day before if the salon is still open then.
    let dates: [CalendarDate]
    /// One group for each staff member, or one without a title for the salon.
    private(set) var groups: [WeekGroup] = []

    var salon: Salon { schedule.salon }
    var clock: SalonClock { schedule.clock }

    /// - Parameters:
    ///   - start: When the week begins.
    ///   - zone: The name of the time zone that the times are shown in; nil if none is known.
    ///   - times: The free times of each staff member, or of the salon.
    ///   - staffID: The only staff member who is shown; nil for all.
    init(
        of salon: Salon,
        now: AppointmentTime,
        from start: Timestamp,
        zone: String?,
        times: [WeekTimes],
        bookings: [WeekBooking],
        staffID: String?
    ) {
        self.start = start
        let clock =
            FoundSalon.clock(zone)
            ?? (try? SalonClock(of: salon, zones: ZoneDirectory(), for: now))
        schedule = Schedule(of: salon, on: clock ?? .offset(minutes: now.offsetMinutes))
        self.now = now.instant.advanced(bySeconds: -Int64(now.localTime.secondOfDay % 60))
        dates = times.first?.days.map(\.date) ?? []
        groups = times.map { times in
            let member = salon.staff.first { $0.id == times.staffID }
            return WeekGroup(member: member, times.days, bookings)
        }
        let unassigned = bookings.filter { booking in
            !salon.staff.contains { $0.id == booking.staffID }
        }
        // With `--with`, only the bookings of one staff member are of interest.
        if !salon.staff.isEmpty, !unassigned.isEmpty, staffID == nil {
            groups.append(WeekGroup(unassigned: unassigned))
        }
    }

    /// The instant at which a day begins.
    func midnight(of date: CalendarDate) -> Timestamp {
        clock.reading(of: LocalTime(date, TimeOfDay(minuteOfDay: 0))).first
    }

    /// The day as an interval: until its hours past midnight end, and not before those of the day before
    /// have ended.
    func interval(of date: CalendarDate) -> Range<Timestamp> {
        let first = max(schedule.end(ofOpeningDay: date.advanced(byDays: -1)), start)
        return first..<max(schedule.end(ofOpeningDay: date), first)
    }
}

/// The free times of a staff member, or of the salon.
struct WeekTimes {
    /// The staff member; nil for the salon.
    let staffID: String?
    let days: [AvailableDay]
}

/// A row of a week: what happens in an interval, or on a whole day.
struct WeekRow {
    enum Content {
        /// The time can be booked. The value is the number of free seats, if there are several.
        case free(Int?)
        /// The time may be free or taken, because bookings are not known.
        case unconfirmed
        case booked(WeekBooking)
        /// The time is taken by a booking that is not listed, or by a hold.
        case taken
        case pause
        case past
        /// The time cannot be booked for a different reason, such as a lead time.
        case unavailable
        /// The salon is closed on that day.
        case closed
        /// The staff member does not work on that day.
        case dayOff
    }

    let start: Timestamp
    /// The end; nil for a whole day, and for an appointment whose end is not known.
    let end: Timestamp?
    let content: Content
}

/// A booked appointment in a week.
struct WeekBooking {
    let appointment: Appointment
    /// Whether this account booked or moved it on this machine.
    let isOwn: Bool

    var staffID: String? { appointment.booking.options.staffID }
}

/// Arithmetic with intervals of time.
extension [Range<Timestamp>] {
    /// The union, in order. Adjacent intervals become one.
    var union: [Range<Timestamp>] {
        var union: [Range<Timestamp>] = []
        for interval in sorted(by: { $0.lowerBound < $1.lowerBound }) where !interval.isEmpty {
            if let last = union.last, interval.lowerBound <= last.upperBound {
                let end = Swift.max(last.upperBound, interval.upperBound)
                union[union.count - 1] = last.lowerBound..<end
            } else {
                union.append(interval)
            }
        }
        return union
    }

    /// What remains of these intervals outside of `others`, in order.
    func subtracting(_ others: [Range<Timestamp>]) -> [Range<Timestamp>] {
        let others = others.union
        return union.flatMap { interval in
            var rest: [Range<Timestamp>] = []
            var start = interval.lowerBound
            for other in others where other.overlaps(interval) {
                if start < other.lowerBound { rest.append(start..<other.lowerBound) }
                start = Swift.max(start, other.upperBound)
            }
            if start < interval.upperBound { rest.append(start..<interval.upperBound) }
            return rest
        }
    }

    /// The parts of these intervals between two instants.
    func clipped(to range: Range<Timestamp>) -> [Range<Timestamp>] {
        filter { $0.overlaps(range) }.map { $0.clamped(to: range) }
    }
}
