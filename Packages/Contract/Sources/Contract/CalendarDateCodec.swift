public import Domain
public import JSON

/// The JSON of a calendar date: ISO 8601, such as `2022-11-04`.
public enum CalendarDateCodec: ModelCodec {
    /// Strings in the form of a date.
    public static let schema = JSONSchema.string(pattern: "^\(pattern)$")

    // ISO 8601 has a year 0, but the calendar of the models begins with year 1.
    static let pattern = "(?!0000)[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"

    /// Reads a date. Throws a `mismatch` with the path of an invalid value.
    public static func read(_ value: JSONValue) throws(JSONError) -> CalendarDate {
        try value.text("a date like 2022-11-04", ISO8601.parseDate)
    }

    /// Writes a date.
    public static func write(_ date: CalendarDate, to writer: inout JSONWriter) {
        writer.string(date.description)
    }
}
