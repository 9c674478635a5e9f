public import Domain
public import JSON

/// The JSON of an appointment time: ISO 8601 with a UTC offset.
public enum AppointmentTimeCodec: ModelCodec {
    /// Strings in the form of a time with an offset.
    public static let schema = JSONSchema.string(
        pattern: "^\(CalendarDateCodec.pattern)[Tt]([01][0-9]|2[0-3]):[0-5][0-9]"
            + "(:[0-5][0-9]([.,]0+)?)?([Zz]|[+-]([01][0-9]|2[0-3]):?[0-5][0-9])$"
    )

    /// Reads a time. Throws a `mismatch` with the path of an invalid value.
    public static func read(_ value: JSONValue) throws(JSONError) -> AppointmentTime {
        let time = try value.withUTF8 { ISO8601.parse($0) }
        guard let time else {
            throw value.mismatch(
                expected: "an ISO 8601 time with an offset, like 2024-10-20T11:24:59+0000"
            )
        }
        return time
    }

    /// Writes a time.
    public static func write(_ time: AppointmentTime, to writer: inout JSONWriter) {
        ISO8601.write(time, to: &writer)
    }
}
