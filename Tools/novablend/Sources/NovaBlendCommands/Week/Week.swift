import Contract
import Domain
import JSON
import Zones

/// A week at a salon: who is booked when, and what is free. It is read from the results of
/// the methods that return the salon, its free times, and its appointments.
struct Week {
    let schedule: Schedule
    /// The time at which the week is shown, without seconds.
    let now: Timestamp
    /// The days of the week, in order.
    let dates: [CalendarDate]
    /// One group for each staff member, or one without a title for the salon.
    private(set) var groups: [WeekGroup] = []

    var salon: Salon { schedule.salon }
    var clock: SalonClock { schedule.clock }

    /// Reads a result of ``WeekLoader``; nil if it has no salon or no times.
    init?(_ result: JSONObject) {
        let times = result.objects("availability")
        guard let value = result["salon"], let salon = try? SalonCodec.read(value),
            let first = times.first, let now = first.text("now").flatMap({ ISO8601.parse($0) })
        else { return nil }
        let clock =
            FoundSalon.clock(first.text("timeZone"))
            ?? (try? SalonClock(of: salon, zones: ZoneDirectory(), for: now))
        schedule = Schedule(of: salon, on: clock ?? .offset(minutes: now.offsetMinutes))
        self.now = now.instant.advanced(bySeconds: -Int64(now.localTime.secondOfDay % 60))
        dates = first.objects("days").compactMap { day in
            day.text("date").flatMap { ISO8601.parse("\($0)T00:00:00Z") }?.localTime.date
        }
        let bookings = result.objects("appointments").compactMap(WeekBooking.init)
        groups = times.map { availability in
            let id = availability.text("staffId")
            let member = salon.staff.first { $0.id == id }
            return WeekGroup(member: member, availability, bookings)
        }
        let unassigned = bookings.filter { booking in
            !salon.staff.contains { $0.id == booking.staffID }
        }
        // With `--with`, only the bookings of one staff member are of interest.
        if !salon.staff.isEmpty, !unassigned.isEmpty, result.text("staffId") == nil {
            groups.append(WeekGroup(unassigned: unassigned))
        }
    }

    /// The instant at which a day begins.
    func midnight(of date: CalendarDate) -> Timestamp {
        clock.reading(of: LocalTime(date, TimeOfDay(minuteOfDay: 0))).first
    }

    /// The day as an interval.
    func interval(of date: CalendarDate) -> Range<Timestamp> {
        midnight(of: date)..<midnight(of: date.advanced(byDays: 1))
    }
}

extension WeekBooking {
    fileprivate init?(_ object: JSONObject) {
        guard let appointment = try? AppointmentCodec.read(object.value) else { return nil }
        self.init(appointment: appointment, isOwn: object.isTrue("own"))
    }

    var staffID: String? { appointment.booking.options.staffID }
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
    /// The end; nil for a whole day.
    let end: Timestamp?
    let content: Content
}

/// A booked appointment in a week.
struct WeekBooking {
    let appointment: Appointment
    /// Whether this account booked or moved it on this machine.
    let isOwn: Bool
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
