import CivilTime

/// The footer of a TZif file: a POSIX `TZ` string such as `CET-1CEST,M3.5.0,M10.5.0/3`. As in
/// version 3 of the format, a time may be up to 167 hours (RFC 9636, section 3.3.1).
enum POSIXZone {
    /// Parses a rule; nil if `text` is not one.
    static func tail(_ text: [UInt8]) -> ZoneTail? {
        var reader = Reader(text)
        guard reader.name(), let standard = reader.time(hours: 0...24) else { return nil }
        if reader.isAtEnd { return ZoneTail(standardOffsetSeconds: -standard) }
        guard reader.name() else { return nil }
        var offset = 3_600 - standard
        if !reader.skip(",") {
            guard let daylight = reader.time(hours: 0...24), reader.skip(",") else { return nil }
            offset = -daylight
        }
        guard let begins = reader.rule(), reader.skip(","), let ends = reader.rule(),
            reader.isAtEnd
        else { return nil }
        return ZoneTail(
            standardOffsetSeconds: -standard,
            daylight: .init(offsetSeconds: offset, begins: begins, ends: ends)
        )
    }

    private struct Reader {
        private var rest: ArraySlice<UInt8>

        init(_ text: [UInt8]) {
            rest = text[...]
        }

        var isAtEnd: Bool { rest.isEmpty }

        mutating func skip(_ character: Unicode.Scalar) -> Bool {
            guard rest.first == UInt8(ascii: character) else { return false }
            rest.removeFirst()
            return true
        }

        /// Skips an abbreviation: at least three letters, or any text between angle brackets.
        mutating func name() -> Bool {
            if skip("<") {
                guard let end = rest.firstIndex(of: UInt8(ascii: ">")) else { return false }
                rest = rest[(end + 1)...]
                return true
            }
            let letters = rest.prefix { ($0 | 0x20) >= 0x61 && ($0 | 0x20) <= 0x7A }
            rest = rest.dropFirst(letters.count)
            return letters.count >= 3
        }

        mutating func number(in range: ClosedRange<Int>) -> Int? {
            let digits = rest.prefix { $0 >= 0x30 && $0 <= 0x39 }
            guard (1...3).contains(digits.count) else { return nil }
            rest = rest.dropFirst(digits.count)
            let number = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
            return range.contains(number) ? number : nil
        }

        /// Parses `[+-]hours[:minutes[:seconds]]` and returns the time in seconds.
        mutating func time(hours: ClosedRange<Int>) -> Int? {
            let isNegative = skip("-")
            if !isNegative { _ = skip("+") }
            guard let hours = number(in: hours) else { return nil }
            var seconds = hours * 3_600
            for unit in [60, 1] {
                guard skip(":") else { break }
                guard let number = number(in: 0...59) else { return nil }
                seconds += number * unit
            }
            return isNegative ? -seconds : seconds
        }

        mutating func rule() -> YearlyRule? {
            guard let day = day() else { return nil }
            guard skip("/") else { return YearlyRule(day, secondsAfterMidnight: 7_200) }
            guard let seconds = time(hours: 0...167) else { return nil }
            return YearlyRule(day, secondsAfterMidnight: seconds)
        }

        private mutating func day() -> YearlyRule.Day? {
            if skip("J") { return number(in: 1...365).map { .withoutLeapDay($0) } }
            guard skip("M") else { return number(in: 0...365).map { .withLeapDay($0) } }
            guard let month = number(in: 1...12), skip("."), let week = number(in: 1...5),
                skip("."), let weekday = number(in: 0...6)
            else { return nil }
            return .weekday(month: month, week: week, weekday: weekday)
        }
    }
}
