/// A scheduling rule that prevents a time from being booked.
public enum BlockingRule: Sendable, Hashable {
    /// The time is not in the future.
    case past
    /// The salon is closed on that day.
    case closedDay(CalendarDate)
    /// The salon is closed at that time. The value is its hours on that day.
    case outsideHours(OpeningHours)
    /// The time is not a slot: the salon's appointments start every `slotMinutes` after opening.
    case offGrid(slotMinutes: Int)
    /// The salon requires bookings to be made at least `leadMinutes` in advance.
    case tooSoon(leadMinutes: Int)
    /// The salon accepts bookings at most `furthestDays` in advance.
    case tooFarAhead(furthestDays: Int)
    /// The slot is taken.
    case taken

    /// The names of all rules.
    public static let names = [
        "past", "closedDay", "outsideHours", "offGrid", "tooSoon", "tooFarAhead", "taken",
    ]

    /// The rule's name in messages.
    public var name: String {
        switch self {
        case .past: "past"
        case .closedDay: "closedDay"
        case .outsideHours: "outsideHours"
        case .offGrid: "offGrid"
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
            "\(salon.name) is open \(hours), and the requested time is \(time.timeOfDay) on the "
                + "salon's clock"
        case .offGrid(let minutes):
            "appointments at \(salon.name) start every \(minutes) minutes from opening and end by "
                + "closing time"
        case .tooSoon(let minutes):
            "\(salon.name) must be booked at least \(minutes) minutes in advance"
        case .tooFarAhead(let days):
            "\(salon.name) can be booked at most \(days) days in advance"
        case .taken: "the slot is already booked"
        }
    }
}
