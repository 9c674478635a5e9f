/// A moment as header fields tell it (RFC 9110, section 5.6.7).
public struct HTTPDate: Sendable, Hashable {
    /// Seconds since the beginning of 1970, without leap seconds.
    public var secondsSince1970: Int

    /// Makes the moment that is that many seconds after the beginning of 1970.
    public init(secondsSince1970: Int) {
        self.secondsSince1970 = secondsSince1970
    }

    /// Reads any of the three formats: that of today, that of RFC 850 and that of `asctime`; nil for
    /// anything else. The day of the week is not checked.
    ///
    /// A year of two digits is the one that is nearest to `now`.
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
            let month = Self.months.firstIndex(where: fields.month.elementsEqual),
            let year = Self.year(fields.year, now: now),
            let seconds = Self.secondsOfDay(time), day >= 1,
            day <= Self.days(inMonth: month + 1, of: year)
        else { return nil }
        let days = Self.daysSince1970(year: year, month: month + 1, day: day)
        secondsSince1970 = days * 86_400 + seconds
    }

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ].map(\.utf8)
}

extension HTTPDate {
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
        let current = 1970 + now.secondsSince1970 / 31_556_952
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

    private static func days(inMonth month: Int, of year: Int) -> Int {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return switch month {
        case 2: isLeap ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Counts in years that begin in March, so that the leap day is the last one.
    private static func daysSince1970(year: Int, month: Int, day: Int) -> Int {
        let marchYear = month > 2 ? year : year - 1
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        let leapDays = marchYear / 4 - marchYear / 100 + marchYear / 400
        return 365 * marchYear + leapDays + dayOfYear - 719_468
    }
}
