/// The hours in which a salon is open, or a staff member works, on each day of the week.
public struct WeeklyHours: Sendable, Hashable {
    private var days: [[OpeningHours]]

    /// Creates weekly hours. A missing day is closed.
    public init(_ hours: [Weekday: [OpeningHours]] = [:]) {
        days = Weekday.allCases.map { hours[$0] ?? [] }
    }

    /// The hours that start on `day`, in order; empty if closed.
    public subscript(day: Weekday) -> [OpeningHours] {
        get { days[day.daysSinceMonday] }
        set { days[day.daysSinceMonday] = newValue }
    }
}
