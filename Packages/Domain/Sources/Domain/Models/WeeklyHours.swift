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

extension WeeklyHours: CustomStringConvertible {
    /// The hours as text, such as `Mon-Fri 09:00-12:30, 14:00-18:00; Sat 10:00-14:00`. Closed days
    /// are left out; `closed` if all are.
    public var description: String {
        var groups: [(first: Weekday, last: Weekday, text: String)] = []
        for day in Weekday.allCases {
            guard let text = self[day].text else { continue }
            if let last = groups.last, last.text == text,
                last.last.daysSinceMonday + 1 == day.daysSinceMonday
            {
                groups[groups.count - 1].last = day
            } else {
                groups.append((day, day, text))
            }
        }
        if groups.isEmpty { return "closed" }
        return groups.map { group in
            let first = group.first.rawValue.prefix(3)
            let last = group.first == group.last ? "" : "-\(group.last.rawValue.prefix(3))"
            return "\(first)\(last) \(group.text)"
        }.joined(separator: "; ")
    }
}
