import Contract
import Domain
import JSON
import Zones

/// A week at a salon: who is booked when, and what is free. It is read from the results of
/// the methods that return the salon, its free times, and its appointments.
struct Week {
    let schedule: Schedule
    /// The current time, without seconds.
    let now: Timestamp
    /// The days, in order.
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

    /// The beginning of a day.
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
