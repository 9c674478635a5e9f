public import Domain

/// A time or a day, as people and language models write them: in ISO 8601, with a space instead of `T`,
/// with one digit for the hour, or with am or pm; and on a day such as `tomorrow` or `Friday`.
public enum TimeText: Sendable, Hashable {
    /// A time.
    case time(RequestedTime)
    /// A date.
    case day(CalendarDate)
    /// A day that depends on the present one.
    case relativeDay(RelativeDay)
    /// A time or a day that does not exist or is not certain. The text says what was expected, after
    /// "must be".
    case invalid(String)
    /// Anything else.
    case unknownForm

    /// Parses a text in UTF-8.
    public init(_ bytes: UnsafeBufferPointer<UInt8>) {
        if let time = ISO8601.parseRequested(bytes) {
            self = .time(time)
        } else if let date = ISO8601.parseDate(bytes) {
            self = .day(date)
        } else {
            let text = String(decoding: bytes, as: UTF8.self)
            let words = text.lowercased().split { $0.isWhitespace || $0 == "," }
            self = Self.parse(words.filter { $0 != "at" })
        }
    }

    /// The day with this name: `today`, `tomorrow`, or a weekday, of which at least three letters are
    /// given. Nil for any other word.
    public static func relativeDay(_ word: String) -> RelativeDay? {
        switch word.lowercased() {
        case "today": .today
        case "tomorrow": .tomorrow
        case let word where word.utf8.count >= 3:
            Weekday.allCases.first { $0.rawValue.lowercased().hasPrefix(word) }
                .map { .weekday($0) }
        default: nil
        }
    }

    private static func parse(_ words: [Substring]) -> TimeText {
        guard let first = words.first else { return .unknownForm }
        if first == "next" || first == "this" {
            return .invalid(
                "a date, or a weekday without \"\(first)\", which could mean either of two days"
            )
        }
        if let day = relativeDay(String(first)) {
            if words.count == 1 { return .relativeDay(day) }
            return clockTime(words.dropFirst().joined()) { time, second, offset in
                offset.isEmpty
                    ? .time(.relative(RelativeTime(day, time, second: second)))
                    : .invalid("a date instead of \"\(first)\" if it has an offset")
            }
        }
        let separator = first.firstIndex(of: "t") ?? first.endIndex
        switch day(first[..<separator]) {
        case .unknownForm:
            let isMonthName = words.count > 1 && first.allSatisfy(\.isNumber)
            return expected(isMonthName ? words[1] : first).map { .invalid($0) } ?? .unknownForm
        case .day(let date):
            if separator == first.endIndex, words.count == 1 { return .day(date) }
            let rest = first[separator...].dropFirst() + words.dropFirst().joined()
            return clockTime(String(rest)) { time, second, offset in
                var text = "\(date)T\(time):\(second < 10 ? "0" : "")\(second)\(offset)"
                let parsed = text.withUTF8 { ISO8601.parseRequested($0) }
                return parsed.map { .time($0) } ?? .invalid(Self.expectedOffset(insteadOf: offset))
            }
        case let other: return other
        }
    }

    private static func expectedOffset(insteadOf offset: String) -> String {
        let isNumeric = offset.first == "+" || offset.first == "-"
        return isNumeric
            ? "a time with an offset such as +01:00, with hours from 00 to 23 and minutes from 00 to 59"
            : "a time with an offset such as +01:00 or Z, instead of a name"
    }

    /// What is expected of text that begins with anything but a day that can be read, by the mistake
    /// that is most likely.
    private static func expected(_ first: Substring) -> String? {
        if let month = first.firstMatch(of: /^[0-9]{4}[-.\/][0-9]{1,2}[-.\/][0-9]{1,2}/) {
            let digits = month.output.split { !$0.isNumber }.map { $0.count == 1 ? "0\($0)" : $0 }
            return "a date with hyphens and two digits for month and day: "
                + digits.joined(separator: "-")
        }
        if first.contains(/^[0-9]{1,2}[-.\/][0-9]{1,2}[-.\/][0-9]{2,4}/) {
            return "a date in the order year, month, day, such as 2026-11-24"
        }
        if first.contains(/^[0-9]{1,2}:[0-9]{2}/) || first.contains(/^[0-9]{1,2}(am|pm)$/)
            || ["noon", "midnight"].contains(first)
        {
            return "a time after a day, such as today 10:30 or 2026-11-24T10:30"
        }
        if ["yesterday", "tonight", "now"].contains(first) {
            return "a date, today, tomorrow, or a weekday, and a time, instead of \"\(first)\""
        }
        let months = [
            "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
        ]
        if months.contains(where: first.hasPrefix) {
            return "a date with the month as a number, such as 2026-11-24"
        }
        return nil
    }

    /// What is expected of a time, after "must be".
    public static let forms =
        "a date and a time, in the form YYYY-MM-DDThh:mm, with an offset such as +01:00 or Z unless the "
        + "salon has a time zone; or a day and a time, such as tomorrow 10:30"

    /// Parses a date of ten characters.
    private static func day(_ text: Substring) -> TimeText {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.map(\.utf8.count) == [4, 2, 2], let year = Int(parts[0]),
            let month = Int(parts[1]), let day = Int(parts[2])
        else { return .unknownForm }
        guard (1...12).contains(month) else { return .invalid("a date with a month from 01 to 12") }
        if let date = CalendarDate(year: year, month: month, day: day) { return .day(date) }
        let days = (28...31).last { CalendarDate(year: year, month: month, day: $0) != nil }
        let length = days.map { "; \(parts[0])-\(parts[1]) has \($0) days" } ?? ""
        return .invalid("a date that exists\(length)")
    }

    /// Parses `9:30`, `09:30:00`, `9am`, or `9:30 pm` without the space, and the offset after it.
    private static func clockTime(
        _ text: String,
        _ make: (TimeOfDay, _ second: Int, _ offset: String) -> TimeText
    ) -> TimeText {
        let end = text.firstIndex { !$0.isNumber && $0 != ":" } ?? text.endIndex
        let parts = text[..<end].split(separator: ":", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { Int($0) }
        let suffix = text[end...]
        let half = ["am", "pm"].first { suffix.hasPrefix($0) }
        guard parts.count == numbers.count, (half == nil ? 2...3 : 1...2).contains(parts.count),
            (1...2).contains(parts[0].count), parts.dropFirst().allSatisfy({ $0.count == 2 })
        else { return .invalid("a day and a time of day, such as 09:30 or 9:30 am") }
        let (minute, second) = (
            numbers.count > 1 ? numbers[1] : 0, numbers.count > 2 ? numbers[2] : 0
        )
        if half == nil, numbers[0] == 24, minute == 0, second == 0 {
            return .invalid("a time with an hour from 00 to 23; 24:00 is 00:00 of the next day")
        }
        guard (half == nil ? 0...23 : 1...12).contains(numbers[0]) else {
            return .invalid(
                half.map {
                    "a time with an hour from 1 to 12 with \($0), or from 00 to 23 without it"
                }
                    ?? "a time with an hour from 00 to 23"
            )
        }
        if minute >= 60 { return .invalid("a time with minutes from 00 to 59") }
        if second >= 60 { return .invalid("a time with seconds from 00 to 59") }
        let hour = half == nil ? numbers[0] : numbers[0] % 12 + (half == "pm" ? 12 : 0)
        let time = TimeOfDay(minuteOfDay: hour * 60 + minute)
        return make(time, second, suffix.dropFirst(half?.count ?? 0).uppercased())
    }
}
