import Contract
import Domain
import JSON
import NovaBlendMethods

/// The times, service, staff member, and seats of an appointment in a result, as text for people.
struct OptionTexts {
    /// The start on the salon's clock if that is known; otherwise on `clock`, or as the server wrote
    /// it.
    let start: String?
    /// The end on the same clock as the start, such as `10:15`; with the date if it is on a different
    /// day.
    let end: String?
    /// The weekday and the time zone, if there is a time on the salon's clock.
    let day, zone: String?
    /// The name of the service, or its id if the name is not known.
    let service: String?
    /// The name of the staff member, or the id if the name is not known.
    let staff: String?
    /// The number of seats, if there are several.
    let seats: String?

    /// - Parameters:
    ///   - names: The object with the names and the time on the salon's clock; by default the
    ///     appointment itself.
    ///   - clock: The clock to show if there is no time on the salon's clock.
    init(_ appointment: JSONObject, names: JSONObject? = nil, clock: SalonClock? = nil) {
        let names = names ?? appointment
        let when = names.child("when")
        day = when?.text("weekday")
        zone = when?.text("zone")
        let stored = appointment.text("appointmentTime")
        let startTime = Self.time(when?.text("local")) ?? Self.time(stored, on: clock)
        let shown = clock == nil ? nil : startTime.map(ISO8601.formatRFC3339)
        start = when?.text("local") ?? shown ?? stored
        // If there is no clock, show the end with the offset of the start, because the table shows
        // only one offset.
        let endClock = clock ?? startTime.map { .offset(minutes: $0.offsetMinutes) }
        let endTime =
            when == nil
            ? Self.time(appointment.text("endTime"), on: endClock) : Self.time(when?.text("end"))
        end = endTime?.localTime.text(after: startTime?.localTime)
        service = names.text("service") ?? appointment.text("serviceId")
        let assigned = appointment.isTrue("staffAssigned") ? " (assigned)" : ""
        staff = (names.text("staff") ?? appointment.text("staffId")).map { $0 + assigned }
        seats = appointment.integer("seats").flatMap { $0 > 1 ? "\($0)" : nil }
    }

    /// The fields of a report about one appointment or hold at `salon`.
    func fields(at salon: String?) -> [(String, String?)] {
        [
            ("salon", salon), ("time", start), ("end", end), ("day", day), ("zone", zone),
            ("service", service), ("staff", staff), ("seats", seats),
        ]
    }

    /// The time in `text`, on `clock` if there is one.
    private static func time(_ text: String?, on clock: SalonClock? = nil) -> AppointmentTime? {
        let time = text.flatMap { ISO8601.parse($0) }
        return time.map { clock?.time(at: $0.instant) ?? $0 }
    }
}

extension LocalTime {
    /// The time of day such as `10:15` of an end, with the date if it is on a different day than
    /// `start`.
    func text(after start: LocalTime?) -> String {
        (date == start?.date ? "" : "\(date) ") + timeOfDay.description
    }
}

/// The text of a time of day for a table.
enum LocalTimeText {
    /// The time of day on `clock`: `09:30`, with seconds if there are any, and with the UTC offset if
    /// the clock shows this time twice.
    static func text(of instant: Timestamp, on clock: SalonClock) -> String {
        let time = clock.time(at: instant)
        let local = time.localTime
        var text = local.timeText
        if case .ambiguous = clock.reading(of: local) {
            text += ISO8601.formatOffset(minutes: time.offsetMinutes)
        }
        return text
    }
}
