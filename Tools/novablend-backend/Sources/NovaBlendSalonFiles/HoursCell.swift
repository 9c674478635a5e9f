import Contract
import Domain

/// The form of hours in a cell of a CSV file, such as `mon 09:00-12:30 14:00-18:00; sun closed`:
/// entries that begin with a day.
enum HoursCell {
    /// The hours of a closed day, and the cell of a week without hours.
    static let closed = "closed"

    /// The entries of a cell: the first word, and the rest.
    static func entries(of cell: String) -> [(day: String, hours: String)] {
        cell.split { $0 == ";" || $0.isNewline }.compactMap { entry in
            let text = String(entry).trimmed
            guard !text.isEmpty else { return nil }
            let day = String(text.prefix { !$0.isWhitespace })
            return (day, String(text.dropFirst(day.count)).trimmed)
        }
    }

    /// The entries of a cell of exceptions: a day or the first and the last one, as in
    /// `2026-12-21..2027-01-06`, and the hours.
    static func exceptions(in cell: String) -> [(first: String, last: String?, hours: String)] {
        entries(of: cell).map { entry in
            let text = entry.day + " " + entry.hours
            let range = /([0-9-]{10})\s*(?:\.\.|…|\/|to|[-–—])\s*([0-9-]{10})(?:\s+(.*))?/
            guard let match = text.wholeMatch(of: range) else {
                return (entry.day, nil, entry.hours)
            }
            return (String(match.1), String(match.2), String(match.3 ?? "").trimmed)
        }
    }

    /// The text of hours, such as `09:00-12:30 14:00-18:00`.
    static func text(_ hours: [OpeningHours]) -> String {
        guard !hours.isEmpty else { return closed }
        return hours.map { "\($0.opens)-\($0.closes)" }.joined(separator: " ")
    }

    /// The times of each interval in a text. An interval that is written correctly has two.
    static func intervals(in hours: String) -> [[String]] {
        guard hours.lowercased() != closed else { return [] }
        let words = joiningHalves(hours)
            .split(omittingEmptySubsequences: false, whereSeparator: dashes.contains)
            .map { String($0).trimmed }.joined(separator: "-").split(whereSeparator: \.isWhitespace)
        guard !words.isEmpty else { return [[]] }
        return words.map { word in
            word.split(separator: "-", omittingEmptySubsequences: false).map { clock(String($0)) }
        }
    }

    /// The hyphens and dashes that people and programs write between two times.
    private static let dashes = Set("-\u{2010}\u{2011}\u{2012}\u{2013}\u{2014}\u{2212}")

    /// The text without white space before `AM` and `PM`.
    private static func joiningHalves(_ text: String) -> String {
        var joined = ""
        for word in text.split(whereSeparator: \.isWhitespace) {
            let isHalf = half(word.prefix { !dashes.contains($0) }) != nil
            joined += (isHalf || joined.isEmpty ? "" : " ") + word
        }
        return joined
    }

    /// A time such as `9:30`, `09:30:00`, `9.30`, or `9:30 AM` as `09:30`; the text itself if it has a
    /// different form. The codec checks the numbers.
    static func clock(_ text: String) -> String {
        guard let hundredths = hundredths(text) else { return text }
        let digits = String(10_000 + hundredths).dropFirst()
        return "\(digits.prefix(2)):\(digits.suffix(2))"
    }

    /// A time such as `9:30`, `09:30:00`, or `9:30 AM` as 930, and a number such as `9.3`, too; nil for
    /// a different form.
    static func hundredths(_ text: String) -> Int? {
        let clock = text.prefix { "0"..."9" ~= $0 || $0 == ":" || $0 == "." }
        let suffix = String(text.dropFirst(clock.count)).trimmed
        if suffix.isEmpty { return hundredths(onClock: clock) }
        guard let isAfternoon = half(suffix[...]), let time = hundredths(onClock: clock),
            (100..<1_300).contains(time)
        else { return nil }
        return time % 1_200 + (isAfternoon ? 1_200 : 0)
    }

    /// Whether a text means the hours after noon (`PM`) or before (`AM`); nil for any other text.
    private static func half(_ text: Substring) -> Bool? {
        ["am": false, "pm": true][text.lowercased().filter { $0 != "." }]
    }

    private static func hundredths(onClock text: Substring) -> Int? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        if parts.count == 2 || (parts.count == 3 && parts[2] == "00") {
            guard let hour = digits(parts[0], 1...2), let minute = digits(parts[1], 2...2) else {
                return nil
            }
            return hour * 100 + minute
        }
        let decimal = text.split(separator: ".", omittingEmptySubsequences: false)
        guard let first = decimal.first, let hour = digits(first, 1...2) else { return nil }
        guard decimal.count > 1 else { return hour * 100 }
        guard decimal.count == 2, let minute = digits(decimal[1], 1...2) else { return nil }
        return hour * 100 + (decimal[1].count == 1 ? minute * 10 : minute)
    }

    private static func digits(_ text: Substring, _ count: ClosedRange<Int>) -> Int? {
        guard count.contains(text.count), text.allSatisfy({ "0"..."9" ~= $0 }) else { return nil }
        return Int(text)
    }
}
