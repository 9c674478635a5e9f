public import Domain
public import JSON

/// A day on the wire: ISO 8601, `2022-11-04`.
public enum CalendarDateCodec: ModelCodec {
    /// Reads a day; anything else is a `mismatch` that names its path.
    public static func read(_ value: JSONValue) throws(JSONError) -> CalendarDate {
        guard let date = try value.withUTF8(ISO8601.parseDate) else {
            throw value.mismatch(expected: "a date like 2022-11-04")
        }
        return date
    }

    /// Writes a day as `read` reads it.
    public static func write(_ date: CalendarDate, to writer: inout JSONWriter) {
        writer.string(date.description)
    }
}
