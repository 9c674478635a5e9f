import CivilTime

/// The date and time of a header field (RFC 9110, section 5.6.7).
public struct HTTPDate: Sendable, Hashable {
    /// Seconds since 1970-01-01 00:00:00 UTC, without leap seconds.
    public var secondsSince1970: Int

    /// Creates a date from seconds since 1970.
    public init(secondsSince1970: Int) {
        self.secondsSince1970 = secondsSince1970
    }

    /// Parses any of the three formats: the preferred one, that of RFC 850, and that of `asctime`.
    /// Returns nil for any other text. The day of the week is not checked.
    ///
    /// A two-digit year means the year nearest to `now` that ends with these digits.
    public init?(_ text: String, now: HTTPDate) {
        let parts = text.utf8.split { $0 == 0x20 || $0 == UInt8(ascii: ",") || $0 == 0x2D }
        let fields: (day: Substring.UTF8View, month: Substring.UTF8View, year: Substring.UTF8View)
        let time: Substring.UTF8View
        switch parts.count {
        case 6 where parts[5].elementsEqual("GMT".utf8):
            (fields, time) = ((parts[1], parts[2], parts[3]), parts[4])
        case 5: (fields, time) = ((parts[2], parts[1], parts[4]), parts[3])
        default: return nil
        }
        guard let day = Self.number(fields.day, digits: 1...2),
            let month = Self.months.firstIndex(where: { fields.month.elementsEqual($0.utf8) }),
            let year = Self.year(fields.year, now: now),
            let date = CalendarDate(year: year, month: month + 1, day: day),
            let seconds = Self.secondsOfDay(time)
        else { return nil }
        secondsSince1970 = date.daysSince1970 * 86_400 + seconds
    }

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private static func number(_ text: Substring.UTF8View, digits: ClosedRange<Int>) -> Int? {
        guard digits ~= text.count else { return nil }
        return text.reduce(0) { value, byte in
            value.flatMap {
                UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte ? $0 * 10 + Int(byte) - 48 : nil
            }
        }
    }

    private static func year(_ text: Substring.UTF8View, now: HTTPDate) -> Int? {
        if let year = number(text, digits: 4...4) { return year }
        guard let short = number(text, digits: 2...2) else { return nil }
        let current = CalendarDate(daysSince1970: now.secondsSince1970 / 86_400).parts.year
        let candidate = current - current % 100 + short
        if candidate > current + 50 { return candidate - 100 }
        return candidate + 50 < current ? candidate + 100 : candidate
    }

    private static func secondsOfDay(_ text: Substring.UTF8View) -> Int? {
        let parts = text.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard parts.count == 3, let hour = number(parts[0], digits: 2...2), hour < 24,
            let minute = number(parts[1], digits: 2...2), minute < 60,
            // 60 is a leap second.
            let second = number(parts[2], digits: 2...2), second <= 60
        else { return nil }
        return hour * 3_600 + minute * 60 + second
    }
}

extension HTTPDate: CustomStringConvertible {
    /// The date in the preferred format, such as `Sun, 06 Nov 1994 08:49:37 GMT`, clamped to the
    /// years 1 to 9999.
    public var description: String {
        let time = LocalTime(localSeconds: Int64(secondsSince1970))
        let (date, second) = (time.date, time.secondOfDay % 60)
        // These are the digits of the year, month, and day, with leading zeros.
        let digits = date.description.split(separator: "-")
        return "\(date.weekday.rawValue.prefix(3)), \(digits[2]) "
            + "\(Self.months[date.parts.month - 1]) \(digits[0]) "
            + "\(time.timeOfDay):\(second < 10 ? "0" : "")\(second) GMT"
    }
}
