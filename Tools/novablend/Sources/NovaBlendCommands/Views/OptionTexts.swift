import Contract
import Domain
import NovaBlendMethods

/// The times, service, staff member, and seats of an appointment in a result, as text for people.
struct OptionTexts {
    /// The start on the salon's clock if that is known; otherwise on `clock`, or as the server wrote
    /// it.
    let start: String
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
    /// The price of the service, if the salon states it.
    let price: String?

    /// The texts of a listed appointment; on `clock` if the salon's clock is not known.
    init(_ listed: ListedAppointment, on clock: SalonClock?) {
        let view = listed.view
        let when = view.when.zone == nil ? nil : view.when
        self.init(view.appointment, when: when, view.chosen, clock)
    }

    /// The texts of an appointment that was booked or changed.
    init(_ booked: AppointmentView) {
        self.init(booked.appointment, when: booked.when, booked.chosen)
    }

    /// The texts of an appointment without its salon, with the offset that the server reports.
    init(_ appointment: Appointment) { self.init(appointment, when: nil, nil) }

    /// The texts of a hold, which is known only by the names of what it is for.
    init(_ reply: HoldReply) {
        let (when, chosen) = (reply.booked.when, reply.booked.chosen)
        (start, end) = Self.times(of: when)
        (day, zone) = Self.dayAndZone(of: when)
        service = chosen.service
        staff = chosen.staff ?? reply.held?.hold.staffID
        seats = nil
        price = chosen.price?.description
    }

    private init(
        _ appointment: Appointment,
        when: TimeView?,
        _ chosen: ChosenOptions?,
        _ clock: SalonClock? = nil
    ) {
        let options = appointment.booking.options
        if let when {
            (start, end) = Self.times(of: when)
        } else {
            let stored = appointment.booking.time
            let time = clock?.time(at: stored.instant) ?? stored
            start = clock == nil ? ISO8601.format(stored) : ISO8601.formatRFC3339(time)
            // If there is no clock, show the end with the offset of the start, because the table
            // shows only one offset.
            let endClock = clock ?? .offset(minutes: time.offsetMinutes)
            end = appointment.endTime.map {
                endClock.time(at: $0.instant).localTime.text(after: time.localTime)
            }
        }
        (day, zone) = when.map(Self.dayAndZone) ?? (nil, nil)
        service = chosen?.service ?? options.serviceID
        let assigned = appointment.isStaffAssigned ? " (assigned)" : ""
        staff = (chosen?.staff ?? options.staffID).map { $0 + assigned }
        seats = options.seats > 1 ? "\(options.seats)" : nil
        price = chosen?.price?.description
    }

    private static func times(of when: TimeView) -> (start: String, end: String?) {
        (
            ISO8601.formatRFC3339(when.time),
            when.end.map { $0.localTime.text(after: when.time.localTime) }
        )
    }

    private static func dayAndZone(of when: TimeView) -> (day: String, zone: String?) {
        (when.time.localTime.date.weekday.rawValue, when.zone?.name)
    }

    /// The fields of a report about one appointment or hold at `salon`.
    func fields(at salon: String?) -> [(String, String?)] {
        [
            ("salon", salon), ("time", start), ("end", end), ("day", day), ("zone", zone),
            ("service", service), ("staff", staff), ("seats", seats), ("price", price),
        ]
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
