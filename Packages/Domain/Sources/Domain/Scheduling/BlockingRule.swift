/// The rule because of which a time cannot be booked.
public enum BlockingRule: Sendable, Hashable {
    /// It is not in the future.
    case past
    /// The salon is closed all that day.
    case closedDay(CalendarDate)
    /// The salon is closed then; the hours are that day's.
    case outsideHours(OpeningHours)
    /// No appointment of the salon begins then.
    case offGrid(slotMinutes: Int)
    /// It is sooner than the salon takes bookings for.
    case tooSoon(leadMinutes: Int)
    /// It is further ahead than the salon takes bookings for.
    case tooFarAhead(furthestDays: Int)
    /// Somebody has it.
    case taken

    /// Every name that there is.
    public static let names = [
        "past", "closedDay", "outsideHours", "offGrid", "tooSoon", "tooFarAhead", "taken",
    ]

    /// Its name, the same in every message.
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
        case .past: "the time lies in the past"
        case .closedDay(let date): "\(salon.name) is closed on \(date)"
        case .outsideHours(let hours):
            "\(salon.name) is open \(hours) and the time asked for is \(time.timeOfDay) on its "
                + "wall clock"
        case .offGrid(let minutes):
            "appointments at \(salon.name) begin every \(minutes) minutes from opening, and end "
                + "before closing"
        case .tooSoon(let minutes):
            "\(salon.name) must be booked at least \(minutes) minutes ahead"
        case .tooFarAhead(let days): "\(salon.name) can be booked at most \(days) days ahead"
        case .taken: "the slot is booked already"
        }
    }
}
