/// The rule that keeps a time from being booked.
public enum BlockingRule: Sendable, Hashable {
    /// The time is not in the future.
    case past
    /// The salon is closed on that day.
    case closedDay(CalendarDate)
    /// The salon is closed at that time; these are its hours on that day.
    case outsideHours(OpeningHours)
    /// Appointments of the salon begin at other times.
    case offGrid(slotMinutes: Int)
    /// The salon must be booked earlier.
    case tooSoon(leadMinutes: Int)
    /// The salon cannot be booked that far ahead.
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
