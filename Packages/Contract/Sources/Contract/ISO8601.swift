public import Domain
import JSON

/// Reads and writes times in the ISO 8601 extended format.
///
/// The UTC offset is `Z` or numeric, such as `+01:00` or `+0100`. Seconds are optional. A fraction
/// of a second must be zero, because appointments have whole seconds.
public enum ISO8601 {
    /// Parses a time in the years 0001 to 9999; nil if the text is invalid.
    public static func parse(_ text: String) -> AppointmentTime? {
        var text = text
        return text.withUTF8 { parse($0) }
    }

    /// Parses a time from UTF-8; nil if the text is invalid.
    public static func parse(_ bytes: UnsafeBufferPointer<UInt8>) -> AppointmentTime? {
        var cursor = DigitCursor(bytes)
        guard let local = cursor.localTime(), let offset = cursor.offsetMinutes(), cursor.isAtEnd
        else { return nil }
        return time(local, offset)
    }

    /// Parses a time that a caller requests; nil if the text is invalid. A time with a numeric
    /// offset is a wall-clock time, a time with `Z` is an instant without a known local time (RFC
    /// 9557), and a time without an offset is a local time.
    public static func parseRequested(_ bytes: UnsafeBufferPointer<UInt8>) -> RequestedTime? {
        var cursor = DigitCursor(bytes)
        guard let local = cursor.localTime() else { return nil }
        if cursor.isAtEnd { return .local(local) }
        let hasNumericOffset = cursor.isAtNumericOffset
        guard let offset = cursor.offsetMinutes(), cursor.isAtEnd else { return nil }
        let time = time(local, offset)
        return hasNumericOffset ? .wallClock(time) : .instant(time.instant)
    }

    /// Parses a date such as `2026-12-24`; nil if the text is invalid.
    public static func parseDate(_ bytes: UnsafeBufferPointer<UInt8>) -> CalendarDate? {
        var cursor = DigitCursor(bytes)
        guard let date = cursor.date(), cursor.isAtEnd else { return nil }
        return date
    }

    /// Formats a time with its offset, such as `2024-10-20T11:24:59+0000`. A year outside 0001 to
    /// 9999 is clamped.
    public static func format(_ time: AppointmentTime) -> String {
        text(length: length) { $0.put(time) }
    }

    /// Writes a time as ``format(_:)`` formats it, without making a String.
    static func write(_ time: AppointmentTime, to writer: inout JSONWriter) {
        writer.raw(upTo: length + 2) { buffer in
            var digits = DigitWriter(buffer)
            digits.put("\"")
            digits.put(time)
            digits.put("\"")
            return digits.position
        }
    }

    private static let length = "2024-10-20T11:24:59+0000".utf8.count

    /// Formats a time with its offset as RFC 3339, such as `2024-10-20T13:24:59+02:00`. A year
    /// outside 0001 to 9999 is clamped.
    public static func formatRFC3339(_ time: AppointmentTime) -> String {
        text(length: "2024-10-20T11:24:59+00:00".utf8.count) { digits in
            digits.put(time.localTime)
            digits.put(offsetMinutes: time.offsetMinutes, separator: ":")
        }
    }

    /// Formats an instant in UTC as RFC 3339, such as `2024-10-20T11:24:59Z`.
    public static func formatUTC(_ instant: Timestamp) -> String {
        text(length: "2024-10-20T11:24:59Z".utf8.count) { digits in
            digits.put(LocalTime(instant, offsetSeconds: 0))
            digits.put("Z")
        }
    }

    /// Formats an offset as RFC 3339, such as `+01:00`. It is clamped to less than 100 hours.
    public static func formatOffset(minutes: Int) -> String {
        text(length: "+01:00".utf8.count) { $0.put(offsetMinutes: minutes, separator: ":") }
    }

    private static func text(length: Int, _ write: (inout DigitWriter) -> Void) -> String {
        String(unsafeUninitializedCapacity: length) { buffer in
            var digits = DigitWriter(buffer)
            write(&digits)
            return digits.position
        }
    }

    private static func time(_ local: LocalTime, _ offsetMinutes: Int) -> AppointmentTime {
        let utc = Timestamp(secondsSince1970: local.localSeconds)
        return AppointmentTime(
            instant: utc.advanced(bySeconds: Int64(offsetMinutes) * -60),
            offsetMinutes: offsetMinutes
        )
    }
}
