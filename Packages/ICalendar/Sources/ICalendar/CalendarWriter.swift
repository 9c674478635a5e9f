import Contract
import Domain

/// Writes events as iCalendar (RFC 5545).
struct CalendarWriter {
    /// The most octets of a line, its end not counted (section 3.1).
    private static let longestLine = 75

    private(set) var bytes: [UInt8] = []

    /// The calendar of `events`, whole.
    static func write(_ events: [CalendarEvent], version: String) -> [UInt8] {
        var writer = CalendarWriter()
        writer.line("BEGIN", "VCALENDAR")
        writer.line("VERSION", "2.0")
        writer.line("PRODID", "-//NovaBlend//novablend \(version)//EN")
        for event in events { writer.write(event) }
        if events.isEmpty { writer.writeZone() }
        writer.line("END", "VCALENDAR")
        return writer.bytes
    }

    /// An instant in UTC, as `20241020T112459Z`.
    static func text(of instant: Timestamp) -> String {
        ISO8601.formatUTC(instant).filter { $0 != "-" && $0 != ":" }
    }

    private mutating func write(_ event: CalendarEvent) {
        line("BEGIN", "VEVENT")
        line("UID", Self.escaped(event.uid))
        line("DTSTAMP", Self.text(of: event.stamp))
        line("DTSTART", Self.text(of: event.start))
        line("DTEND", Self.text(of: event.end))
        line("SUMMARY", Self.escaped(event.summary))
        if let location = event.location { line("LOCATION", Self.escaped(location)) }
        if let description = event.description { line("DESCRIPTION", Self.escaped(description)) }
        line("STATUS", event.isCancelled ? "CANCELLED" : "CONFIRMED")
        line("SEQUENCE", String(min(event.sequence, Int(Int32.max))))
        line("END", "VEVENT")
    }

    /// A calendar has at least one component (section 3.6): the zone of all times stands where there
    /// is no event, and shows nothing.
    private mutating func writeZone() {
        line("BEGIN", "VTIMEZONE")
        line("TZID", "UTC")
        line("BEGIN", "STANDARD")
        line("DTSTART", "19700101T000000")
        line("TZOFFSETFROM", "+0000")
        line("TZOFFSETTO", "+0000")
        line("END", "STANDARD")
        line("END", "VTIMEZONE")
    }

    /// A text value (section 3.3.11): what would end it is escaped. Whatever some reader takes for
    /// the end of a line is one; other control characters are left out.
    static func escaped(_ text: String) -> String {
        var escaped = ""
        var previous: Unicode.Scalar = " "
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\", ";", ",":
                escaped.unicodeScalars.append("\\")
                escaped.unicodeScalars.append(scalar)
            case "\n" where previous == "\r": break
            case "\n", "\u{B}", "\u{C}", "\r", "\u{85}", "\u{2028}", "\u{2029}": escaped += "\\n"
            case "\t": escaped.unicodeScalars.append(scalar)
            case "\0"..<" ", "\u{7F}"..<"\u{A0}": break
            default: escaped.unicodeScalars.append(scalar)
            }
            previous = scalar
        }
        return escaped
    }

    /// Writes a line, folded where it is too long, but never within a character.
    mutating func line(_ name: StaticString, _ value: String) {
        var length = 0
        for scalar in "\(name):\(value)".unicodeScalars {
            let encoded = UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
            if length + encoded.count > Self.longestLine {
                bytes += [0x0D, 0x0A, 0x20]
                length = 1
            }
            bytes.append(contentsOf: encoded)
            length += encoded.count
        }
        bytes += [0x0D, 0x0A]
    }
}
