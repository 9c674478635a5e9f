import Domain

extension DigitCursor {
    /// Whether a numeric offset follows.
    var isAtNumericOffset: Bool { next == UInt8(ascii: "+") || next == UInt8(ascii: "-") }

    mutating func date() -> CalendarDate? {
        guard let year = number(digits: 4, in: 1...9_999), skip("-"),
            let month = number(digits: 2, in: 1...12), skip("-"),
            let day = number(digits: 2, in: 1...31)
        else { return nil }
        return CalendarDate(year: year, month: month, day: day)
    }

    mutating func localTime() -> LocalTime? {
        guard let date = date(), skip("T") || skip("t"),
            let hour = number(digits: 2, in: 0...23), skip(":"),
            let minute = number(digits: 2, in: 0...59), let second = seconds(),
            let time = TimeOfDay(hour: hour, minute: minute)
        else { return nil }
        return LocalTime(date, time, second: second)
    }

    /// Seconds after a colon; 0 if no colon comes next.
    private mutating func seconds() -> Int? {
        guard skip(":") else { return 0 }
        guard let second = number(digits: 2, in: 0...59), skipZeroFraction() else { return nil }
        return second
    }
}
