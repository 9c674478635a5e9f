public import CivilTime

/// Writes events as an iCalendar object, the content of an `.ics` file (RFC 5545).
public enum CalendarWriter {
    /// Writes a calendar with `events`, in UTF-8. All times are in UTC.
    ///
    /// `productID` identifies the program that writes the calendar, such as
    /// `-//Example//Bookings 1.0//EN` (section 3.7.3).
    ///
    /// A calendar must have at least one component (section 3.6). A calendar without events
    /// therefore contains a `VTIMEZONE` for UTC, which clients do not show.
    public static func write(_ events: [CalendarEvent], productID: String) -> [UInt8] {
        var lines = ContentLines()
        lines.append("BEGIN", "VCALENDAR")
        lines.append("VERSION", "2.0")
        lines.append("PRODID", text: productID)
        for event in events { write(event, to: &lines) }
        if events.isEmpty { writeTimeZone(to: &lines) }
        lines.append("END", "VCALENDAR")
        return lines.bytes
    }

    /// Formats an instant in UTC, such as `20241020T112459Z` (section 3.3.5). A year outside 1 to
    /// 9999 is clamped.
    public static func format(_ instant: Timestamp) -> String {
        let local = LocalTime(instant, offsetSeconds: 0)
        let (date, second) = (local.date.parts, local.secondOfDay)
        let day = (date.year * 100 + date.month) * 100 + date.day
        let time = (second / 3_600 * 100 + second / 60 % 60) * 100 + second % 60
        return "\(padded(day, to: 8))T\(padded(time, to: 6))Z"
    }

    private static func padded(_ number: Int, to width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: width - digits.utf8.count) + digits
    }

    private static func write(_ event: CalendarEvent, to lines: inout ContentLines) {
        lines.append("BEGIN", "VEVENT")
        lines.append("UID", text: event.uid)
        lines.append("DTSTAMP", format(event.stamp))
        lines.append("DTSTART", format(event.start))
        if let end = event.end { lines.append("DTEND", format(end)) }
        lines.append("SUMMARY", text: event.summary)
        if let location = event.location { lines.append("LOCATION", text: location) }
        if let description = event.description { lines.append("DESCRIPTION", text: description) }
        lines.append("STATUS", event.status.rawValue)
        lines.append("SEQUENCE", String(min(max(event.sequence, 0), Int(Int32.max))))
        if let minutes = event.reminderMinutes { writeAlarm(minutes, of: event, to: &lines) }
        lines.append("END", "VEVENT")
    }

    /// Writes a `VALARM` that shows the title (section 3.6.6).
    private static func writeAlarm(
        _ minutes: Int,
        of event: CalendarEvent,
        to lines: inout ContentLines
    ) {
        lines.append("BEGIN", "VALARM")
        lines.append("ACTION", "DISPLAY")
        lines.append("DESCRIPTION", text: event.summary)
        lines.append("TRIGGER", "-" + duration(minutes: min(max(minutes, 0), 525_600)))
        lines.append("END", "VALARM")
    }

    /// A duration such as `P1DT2H30M` (section 3.3.6).
    private static func duration(minutes: Int) -> String {
        let (days, hours, rest) = (minutes / 1_440, minutes / 60 % 24, minutes % 60)
        let date = days > 0 ? "\(days)D" : ""
        let time = (hours > 0 ? "\(hours)H" : "") + (rest > 0 ? "\(rest)M" : "")
        if date.isEmpty, time.isEmpty { return "PT0M" }
        return "P" + date + (time.isEmpty ? "" : "T" + time)
    }

    private static func writeTimeZone(to lines: inout ContentLines) {
        lines.append("BEGIN", "VTIMEZONE")
        lines.append("TZID", "UTC")
        lines.append("BEGIN", "STANDARD")
        lines.append("DTSTART", "19700101T000000")
        lines.append("TZOFFSETFROM", "+0000")
        lines.append("TZOFFSETTO", "+0000")
        lines.append("END", "STANDARD")
        lines.append("END", "VTIMEZONE")
    }
}
