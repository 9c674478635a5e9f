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
        guard let local = cursor.localTime(), let offset = cursor.offsetMinutes(), cursor.isAtEnd
        else { return nil }
        return time(local, offset)
    }

    /// Reads a time as somebody asks for it: with an offset, with `Z`, which says nothing of any
    /// wall clock (RFC 9557), or without either; nil for anything else.
    public static func parseRequested(_ bytes: UnsafeBufferPointer<UInt8>) -> RequestedTime? {
        var cursor = DigitCursor(bytes)
        guard let local = cursor.localTime() else { return nil }
        if cursor.isAtEnd { return .local(local) }
        let saysClock = cursor.saysOffset
        guard let offset = cursor.offsetMinutes(), cursor.isAtEnd else { return nil }
        let time = time(local, offset)
        return saysClock ? .wallClock(time) : .instant(time.instant)
    }

    /// Reads a day like `2026-12-24`; nil for anything else.
    public static func parseDate(_ bytes: UnsafeBufferPointer<UInt8>) -> CalendarDate? {
        var cursor = DigitCursor(bytes)
        guard let date = cursor.date(), cursor.isAtEnd else { return nil }
        return date
    }

    /// Writes a time at its own offset; years outside 0001 to 9999 are held at the ends.
    public static func format(_ time: AppointmentTime) -> String {
        text(length: "2024-10-20T11:24:59+0000".utf8.count) { digits in
            digits.put(time.localTime)
            digits.put(offsetMinutes: time.offsetMinutes)
        }
    }

    /// Writes a point in time in UTC, as `2024-10-20T11:24:59Z`.
    public static func formatUTC(_ instant: Timestamp) -> String {
        text(length: "2024-10-20T11:24:59Z".utf8.count) { digits in
            digits.put(LocalTime(instant, offsetSeconds: 0))
            digits.put("Z")
        }
    }

    /// Writes an offset, as `+0100`; less than 100 hours of it.
    public static func formatOffset(minutes: Int) -> String {
        text(length: "+0100".utf8.count) { $0.put(offsetMinutes: minutes) }
    }

    private static func text(length: Int, _ write: (inout DigitWriter) -> Void) -> String {
        String(unsafeUninitializedCapacity: length) { buffer in
            var digits = DigitWriter(buffer)
            write(&digits)
            return digits.position
        }
    }

    private static func time(_ local: LocalTime, _ offsetMinutes: Int) -> AppointmentTime {
        let utc = Timestamp(secondsSince1970: local.secondsSince1970)
        return AppointmentTime(
            instant: utc.advanced(bySeconds: Int64(offsetMinutes) * -60),
            offsetMinutes: offsetMinutes
        )
    }
}
