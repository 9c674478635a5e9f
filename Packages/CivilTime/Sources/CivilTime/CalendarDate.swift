/// A date of the proleptic Gregorian calendar, from year 1 to 9999, in no time zone.
public struct CalendarDate: Sendable, Hashable, Comparable {
    /// Days since 1970-01-01, from -719,162 to 2,932,896; negative for earlier dates.
    public let daysSince1970: Int

    /// Creates a date from a count of days, clamped to the range.
    public init(daysSince1970: Int) {
        self.daysSince1970 = min(max(daysSince1970, -719_162), 2_932_896)
    }

    /// Creates a date; nil if the date does not exist or the year is not in 1...9999.
    public init?(year: Int, month: Int, day: Int) {
        guard (1...9_999).contains(year), (1...12).contains(month),
            day >= 1, day <= GregorianDay.days(in: month, of: year)
        else { return nil }
        daysSince1970 = GregorianDay.daysSince1970(year: year, month: month, day: day)
    }

    /// Year (1...9999), month (1...12), and day of the month (1...31).
    public var parts: (year: Int, month: Int, day: Int) {
        GregorianDay.date(daysSince1970: daysSince1970)
    }

    /// The day of the week.
    public var weekday: Weekday { Weekday(daysSinceMonday: daysSince1970 + 3) }

    /// The date `days` later, clamped to the range.
    public func advanced(byDays days: Int) -> CalendarDate {
        CalendarDate(daysSince1970: daysSince1970 + min(max(days, -4_000_000), 4_000_000))
    }

    /// Earlier dates come first.
    public static func < (lhs: Self, rhs: Self) -> Bool { lhs.daysSince1970 < rhs.daysSince1970 }
}

extension CalendarDate: CustomStringConvertible {
    /// The date in ISO 8601, like `2026-03-29`.
    public var description: String {
        let parts = parts
        let year = String(parts.year)
        return String(repeating: "0", count: 4 - year.count) + year
            + (parts.month < 10 ? "-0" : "-") + "\(parts.month)"
            + (parts.day < 10 ? "-0" : "-") + "\(parts.day)"
    }
}
