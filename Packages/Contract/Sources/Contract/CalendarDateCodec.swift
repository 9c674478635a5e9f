public import Domain
public import JSON

/// The JSON of a calendar date: ISO 8601, such as `2022-11-04`.
public enum CalendarDateCodec: ModelCodec {
    /// Reads a date. Throws a `mismatch` with the path of an invalid value.
    public static func read(_ value: JSONValue) throws(JSONError) -> CalendarDate {
        guard let date = try value.withUTF8(ISO8601.parseDate) else {
            throw value.mismatch(expected: "a date like 2022-11-04")
        }
        return date
    }

    /// Writes a date.
    public static func write(_ date: CalendarDate, to writer: inout JSONWriter) {
        writer.string(date.description)
    }
}
