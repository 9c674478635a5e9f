/// An interval of a day in which a salon is open or a staff member works, on the salon's wall clock.
public struct OpeningHours: Sendable, Hashable {
    /// The opening time.
    public var opens: TimeOfDay
    /// The closing time: the first minute in which the salon is closed again.
    public var closes: TimeOfDay

    /// Creates opening hours. If `closes` is before `opens`, the salon closes on the next day. If
    /// they are equal, the salon is open around the clock.
    public init(opens: TimeOfDay, closes: TimeOfDay) {
        self.opens = opens
        self.closes = closes
    }

    /// The closing time in minutes since the midnight before ``opens``: 1,440 if the salon closes
    /// at midnight, and more if it closes on the next day.
    public var endMinutes: Int { closes > opens ? closes.minutes : closes.minutes + 1_440 }
}

extension [OpeningHours] {
    /// The hours as text, such as `09:00-12:30, 14:00-18:00`; nil for an empty list.
    public var text: String? {
        isEmpty ? nil : map(\.description).joined(separator: ", ")
    }

    /// The time from the earliest opening to the latest closing; nil for an empty list. If that is a
    /// day or more, the two times are equal.
    public var summary: OpeningHours? {
        guard let opens = map(\.opens).min(), let end = map(\.endMinutes).max() else { return nil }
        let minutes = Swift.min(end, opens.minutes + 1_440)
        return OpeningHours(opens: opens, closes: TimeOfDay(minuteOfDay: minutes))
    }
}

extension OpeningHours: CustomStringConvertible {
    /// The hours in the form `09:30-22:30`; `00:00-24:00` if the salon is open around the clock.
    public var description: String {
        if opens == closes { return "00:00-24:00" }
        // A list contains this text for each salon, and interpolation is slow.
        let numbers = [opens.hour, opens.minute, closes.hour, closes.minute]
        return String(unsafeUninitializedCapacity: "09:30-22:30".utf8.count) { buffer in
            for (position, number) in numbers.enumerated() {
                buffer[3 * position] = UInt8(ascii: "0") + UInt8(number / 10)
                buffer[3 * position + 1] = UInt8(ascii: "0") + UInt8(number % 10)
                if position == 3 { break }
                let separator = position == 1 ? UInt8(ascii: "-") : UInt8(ascii: ":")
                buffer[3 * position + 2] = separator
            }
            return "09:30-22:30".utf8.count
        }
    }
}

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

/// Days on which a salon or a staff member has different hours or none.
public struct OpeningException: Sendable, Hashable {
    /// The first and the last day on the salon's wall clock.
    public var dates: ClosedRange<CalendarDate>
    /// The hours that start on each of these days, in order; empty if closed. They do not affect the hours of
    /// the day before that extend past midnight.
    public var hours: [OpeningHours]

    /// Creates an exception for several days.
    public init(dates: ClosedRange<CalendarDate>, hours: [OpeningHours]) {
        self.dates = dates
        self.hours = hours
    }

    /// Creates an exception for one day.
    public init(date: CalendarDate, hours: [OpeningHours]) {
        self.init(dates: date...date, hours: hours)
    }
}
