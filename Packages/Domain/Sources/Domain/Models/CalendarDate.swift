/// A day on the Gregorian calendar, wherever on earth.
public struct CalendarDate: Sendable, Hashable {
    /// The year, 1 to 9999.
    public let year: Int
    /// The month, 1 to 12.
    public let month: Int
    /// The day of the month, from 1.
    public let day: Int

    /// Makes a date; nil for one that no calendar has.
    public init?(year: Int, month: Int, day: Int) {
        guard (1...9_999).contains(year), (1...12).contains(month),
            day >= 1, day <= Self.days(in: month, of: year)
        else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }

    private static func days(in month: Int, of year: Int) -> Int {
        switch month {
        case 4, 6, 9, 11: 30
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        default: 31
        }
    }
}
