import Contract
package import Domain
import JSON
import JSONRPC

/// A time in a result: in UTC and on the wall clock, with the offset, the zone, and the weekday.
package struct TimeView: CustomStringConvertible {
    static let schema = ObjectSchema([
        .init("utc", .string, "the instant in UTC"),
        .init("local", .string, "the wall-clock time, with its offset"),
        .init("offset", .string, "the wall clock's UTC offset"),
        .optional("zone", .string, "the time zone, if known"),
        .init("weekday", .string, "on the wall clock"),
        .optional("end", .string, "when the appointment ends, if known"),
    ]).named("SalonTime")

    package let time: AppointmentTime
    package let zone: ZoneID?
    /// The end of an appointment, if known.
    package let end: AppointmentTime?

    init(_ time: AppointmentTime, zone: ZoneID?, end: AppointmentTime? = nil) {
        self.time = time
        self.zone = zone
        self.end = end
    }

    /// Creates the view of the time of an appointment on `clock`, or with its own offset if `clock`
    /// is nil. `salon` helps to find out the end.
    init(of appointment: Appointment, on clock: SalonClock?, at salon: Salon? = nil) {
        func onClock(_ time: AppointmentTime) -> AppointmentTime {
            clock?.time(at: time.instant) ?? time
        }
        self.init(
            onClock(appointment.booking.time),
            zone: clock?.zone,
            end: appointment.end(at: salon).map(onClock)
        )
    }

    /// The time in a form for people.
    package var description: String {
        let suffix = zone.map { " (\($0))" } ?? ""
        return "\(time.localTime.date.weekday.rawValue), \(ISO8601.formatRFC3339(time))\(suffix)"
    }

    var fragment: ObjectFragment { ObjectFragment { write(to: &$0) } }

    /// Writes the members that describe the time.
    func write(to writer: inout JSONWriter) {
        writer.member("utc", ISO8601.formatUTC(time.instant))
        writer.member("local", ISO8601.formatRFC3339(time))
        writer.member("offset", ISO8601.formatOffset(minutes: time.offsetMinutes))
        writer.member("zone", zone?.name)
        writer.member("weekday", time.localTime.date.weekday.rawValue)
        writer.member("end", end.map(ISO8601.formatRFC3339))
    }
}

extension LocalTime {
    /// The time of day, such as `09:30`, with seconds if there are any.
    package var timeText: String {
        let second = secondOfDay % 60
        if second == 0 { return timeOfDay.description }
        return "\(timeOfDay):" + (second < 10 ? "0" : "") + "\(second)"
    }
}
