public import Domain
public import JSON

/// A day on the wire: ISO 8601, `2022-11-04`.
public enum CalendarDateCodec: ModelCodec {
    /// Reads a day; anything else is a `mismatch` that names its path.
    public static func read(_ value: JSONValue) throws(JSONError) -> CalendarDate {
        guard let date = try value.withUTF8(parse) else {
            throw value.mismatch(expected: "a date like 2022-11-04")
        }
        return date
    }

    /// Writes a day as `read` reads it.
    public static func write(_ date: CalendarDate, to writer: inout JSONWriter) {
        writer.string(
            padded(date.year, 4) + "-" + padded(date.month, 2) + "-" + padded(date.day, 2)
        )
    }

    private static func parse(_ bytes: UnsafeBufferPointer<UInt8>) -> CalendarDate? {
        var cursor = DigitCursor(bytes)
        guard let year = cursor.number(digits: 4, in: 1...9_999), cursor.skip("-"),
            let month = cursor.number(digits: 2, in: 1...12), cursor.skip("-"),
            let day = cursor.number(digits: 2, in: 1...31), cursor.isAtEnd
        else { return nil }
        return CalendarDate(year: year, month: month, day: day)
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
