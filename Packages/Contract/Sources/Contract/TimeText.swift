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
        case .day(let date):
            if separator == first.endIndex, words.count == 1 { return .day(date) }
            let rest = first[separator...].dropFirst() + words.dropFirst().joined()
            return clockTime(String(rest)) { time, second, offset in
                var text = "\(date)T\(time):\(second < 10 ? "0" : "")\(second)\(offset)"
                let parsed = text.withUTF8 { ISO8601.parseRequested($0) }
                return parsed.map { .time($0) }
                    ?? .invalid("a time with an offset such as +01:00 or Z")
            }
        case let other: return other
        }
    }

    /// What is expected of a time, after "must be".
    static let forms =
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
        else { return .unknownForm }
        let (minute, second) = (
            numbers.count > 1 ? numbers[1] : 0, numbers.count > 2 ? numbers[2] : 0
        )
        guard (half == nil ? 0...23 : 1...12).contains(numbers[0]), minute < 60, second < 60 else {
            return .invalid(
                "a time with an hour from 00 to 23, or from 1 to 12 with am or pm, and with minutes and "
                    + "seconds from 00 to 59"
            )
        }
        let hour = half == nil ? numbers[0] : numbers[0] % 12 + (half == "pm" ? 12 : 0)
        let time = TimeOfDay(minuteOfDay: hour * 60 + minute)
        return make(time, second, suffix.dropFirst(half?.count ?? 0).uppercased())
    }
}
