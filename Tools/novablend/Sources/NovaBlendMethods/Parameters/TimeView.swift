import Contract
import Domain
import JSON
import JSONRPC

/// A time in a result: in UTC and on the wall clock, with the offset, the zone, and the weekday.
struct TimeView: CustomStringConvertible {
    static let schema = ObjectSchema([
        .init("utc", Schemas.string, "the instant in UTC"),
        .init("local", Schemas.string, "the wall-clock time, with its offset"),
        .init("offset", Schemas.string, "the wall clock's UTC offset"),
        .init("zone", Schemas.string, "the time zone, if known", isRequired: false),
        .init("weekday", Schemas.string, "on the wall clock"),
        .init("end", Schemas.string, "when the appointment ends, if known", isRequired: false),
    ]).named("SalonTime")

    let time: AppointmentTime
    let zone: ZoneID?
    /// The end of an appointment, if known.
    let end: AppointmentTime?

    init(_ time: AppointmentTime, zone: ZoneID?, end: AppointmentTime? = nil) {
        self.time = time
        self.zone = zone
        self.end = end
    }

    /// The time of an appointment on `clock`; if `clock` is nil, the time with its own offset. `salon`
    /// helps to find out the end.
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
    var description: String {
        let suffix = zone.map { " (\($0))" } ?? ""
        return "\(time.localTime.date.weekday.rawValue), \(ISO8601.formatRFC3339(time))\(suffix)"
    }

    var fragment: JSONFragment {
        JSONFragment { writer in writer.object { write(to: &$0, utc: "utc", local: "local") } }
    }

    /// Writes the members. `utc` and `local` are the names of the first two.
    func write(to writer: inout JSONWriter, utc: StaticString, local: StaticString) {
        writer.member(utc, ISO8601.formatUTC(time.instant))
        writer.member(local, ISO8601.formatRFC3339(time))
        writer.member("offset", ISO8601.formatOffset(minutes: time.offsetMinutes))
        writer.member("zone", zone?.name)
        writer.member("weekday", time.localTime.date.weekday.rawValue)
        writer.member("end", end.map(ISO8601.formatRFC3339))
    }
}
