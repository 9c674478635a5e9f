/// A scheduling rule that prevents a time from being booked.
public enum BlockingRule: Sendable, Hashable {
    /// The time is not in the future.
    case past
    /// The salon is closed on that day.
    case closedDay(CalendarDate)
    /// The salon is closed at that time. The value is its hours on that day, in order.
    case outsideHours([OpeningHours])
    /// The service, which takes `minutes`, would end after the salon closes.
    case endsAfterHours(minutes: Int)
    /// The time is not a slot: the salon's appointments start every `slotMinutes` after opening,
    /// and without a service they end by closing time.
    case offGrid(slotMinutes: Int)
    /// The staff member with this name does not work at that time; nil if no one does who offers the
    /// service.
    case notWorking(String?)
    /// The salon requires bookings to be made at least `leadMinutes` in advance.
    case tooSoon(leadMinutes: Int)
    /// The salon accepts bookings at most `furthestDays` in advance. The last day is `last`.
    case tooFarAhead(furthestDays: Int, last: CalendarDate)
    /// The slot is taken.
    case taken

    /// The names of all rules.
    public static let names = [
        "past", "closedDay", "outsideHours", "endsAfterHours", "offGrid", "notWorking", "tooSoon",
        "tooFarAhead", "taken",
    ]

    /// The rule's name in messages.
    public var name: String {
        switch self {
        case .past: "past"
        case .closedDay: "closedDay"
        case .outsideHours: "outsideHours"
        case .endsAfterHours: "endsAfterHours"
        case .offGrid: "offGrid"
        case .notWorking: "notWorking"
        case .tooSoon: "tooSoon"
        case .tooFarAhead: "tooFarAhead"
        case .taken: "taken"
        }
    }

    /// Why `time` cannot be booked in `salon`.
    public func reason(for time: AppointmentTime, in salon: Salon) -> String {
        switch self {
        case .past: "the time is in the past"
        case .closedDay(let date): "\(salon.name) is closed on \(date)"
        case .outsideHours(let hours):
            "\(salon.name) is open \(hours.text ?? "never"), and the "
                + "requested time is \(time.timeOfDay) on the salon's clock"
        case .endsAfterHours(let minutes):
            "the service takes \(minutes.counting("minute")), and \(salon.name) closes before it "
                + "would end"
        case .offGrid(let minutes):
            "appointments at \(salon.name) start every \(minutes) minutes from opening and end by "
                + "closing time"
        case .notWorking(let name?): "\(name) does not work at that time"
        case .notWorking: "no qualified staff member of \(salon.name) works at that time"
        case .tooSoon(let minutes):
            "\(salon.name) must be booked at least \(minutes.counting("minute")) in advance"
        case .tooFarAhead(let days, let last):
            "\(salon.name) can be booked at most \(days.counting("day")) in advance, until \(last)"
        case .taken: "the slot is already booked"
        }
    }
}
