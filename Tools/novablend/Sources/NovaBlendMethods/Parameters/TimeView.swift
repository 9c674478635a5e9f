import Contract
package import Domain
import JSON
import JSONRPC

/// When an appointment takes place, with the members that every result states it with: on the salon's
/// clock if its time zone is known, otherwise with the offset that the server states.
package struct TimeView: CustomStringConvertible {
    static let properties: [ObjectSchema.Property] = [
        .init("start", .dateTime, "on the salon's clock if there is a zone"),
        .optional("end", .dateTime, "absent if not known"),
        .optional("zone", .string, "the salon's time zone, if known"),
        .init("weekday", .string, "of start"),
    ]

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

    /// Writes the members ``properties`` into the current object.
    func writeMembers(to writer: inout JSONWriter) {
        writer.member("start", ISO8601.formatRFC3339(time))
        writer.member("end", end.map(ISO8601.formatRFC3339))
        writer.member("zone", zone?.name)
        writer.member("weekday", time.localTime.date.weekday.rawValue)
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
