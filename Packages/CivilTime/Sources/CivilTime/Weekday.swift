/// A day of the week, with its English name.
public enum Weekday: String, Sendable, CaseIterable {
    case monday = "Monday"
    case tuesday = "Tuesday"
    case wednesday = "Wednesday"
    case thursday = "Thursday"
    case friday = "Friday"
    case saturday = "Saturday"
    case sunday = "Sunday"

    /// Creates the weekday `days` after a Monday.
    init(daysSinceMonday days: Int) {
        self = Self.allCases[((days % 7) + 7) % 7]
    }

    /// The number of days since Monday, 0 to 6.
    public var daysSinceMonday: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
