public import Domain

/// Points in time as text: ISO 8601 extended format, to the second, with a UTC offset.
///
/// Read: `Z`, `+00:00`, `+0000` and other offsets; a fraction only if it is zero, since no
/// appointment begins between two seconds. Written: `2024-10-20T11:24:59+0000`.
public enum ISO8601 {
    /// Reads a time with years 0001 to 9999; nil for anything else.
    public static func parse(_ text: String) -> AppointmentTime? {
        var text = text
        return text.withUTF8 { parse($0) }
    }

    /// Reads a time from its bytes; nil for anything else.
    public static func parse(_ bytes: UnsafeBufferPointer<UInt8>) -> AppointmentTime? {
        var cursor = DigitCursor(bytes)
        guard let year = cursor.number(digits: 4, in: 1...9_999), cursor.skip("-"),
            let month = cursor.number(digits: 2, in: 1...12), cursor.skip("-"),
            let day = cursor.number(digits: 2, in: 1...GregorianDay.days(in: month, of: year)),
            cursor.skip("T") || cursor.skip("t"),
            let hour = cursor.number(digits: 2, in: 0...23), cursor.skip(":"),
            let minute = cursor.number(digits: 2, in: 0...59), cursor.skip(":"),
            let second = cursor.number(digits: 2, in: 0...59),
            cursor.skipZeroFraction(),
            let offset = cursor.offsetMinutes(), cursor.isAtEnd
        else { return nil }
        let days = GregorianDay.daysSince1970(year: year, month: month, day: day)
        let local = days * 86_400 + hour * 3_600 + minute * 60 + second
        return AppointmentTime(
            instant: Timestamp(secondsSince1970: Int64(local - offset * 60)),
            offsetMinutes: offset
        )
    }

    /// Writes a time at its own offset; years outside 0001 to 9999 are held at the ends.
    public static func format(_ time: AppointmentTime) -> String {
        let local = time.instant.advanced(bySeconds: Int64(time.offsetMinutes) * 60)
        let seconds = min(max(local.secondsSince1970, -62_135_596_800), 253_402_300_799)
        let day = GregorianDay.floorDivide(Int(seconds), 86_400)
        let secondOfDay = Int(seconds) - day * 86_400
        let date = GregorianDay.date(daysSince1970: day)
        let offset = abs(time.offsetMinutes)
        return padded(date.year, 4) + "-" + padded(date.month, 2) + "-" + padded(date.day, 2)
            + "T" + padded(secondOfDay / 3_600, 2) + ":" + padded(secondOfDay / 60 % 60, 2)
            + ":" + padded(secondOfDay % 60, 2)
            + (time.offsetMinutes < 0 ? "-" : "+") + padded(offset / 60, 2) + padded(offset % 60, 2)
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
