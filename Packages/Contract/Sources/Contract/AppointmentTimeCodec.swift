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
        try value.text("an ISO 8601 time with an offset, like 2024-10-20T11:24:59+0000") {
            ISO8601.parse($0)
        }
    }

    /// Writes a time.
    public static func write(_ time: AppointmentTime, to writer: inout JSONWriter) {
        ISO8601.write(time, to: &writer)
    }
}

/// The JSON of a time that a caller requests: ISO 8601 with a numeric offset, with `Z`, or without
/// an offset.
public enum RequestedTimeCodec {
    /// Reads a time. Throws a `mismatch` with the path of an invalid value.
    public static func read(_ value: JSONValue) throws(JSONError) -> RequestedTime {
        try value.text(
            "an ISO 8601 time like 2026-11-24T09:30+01:00, or 2026-11-24T09:30 for a salon with a "
                + "time zone",
            ISO8601.parseRequested
        )
    }
}

/// The JSON of the start or the end of a range: a time as in ``RequestedTimeCodec``, or a day such
/// as `2026-11-24`.
public enum RangeBoundCodec {
    /// Reads the start of a range. A day means its beginning. Throws a `mismatch` with the path of
    /// an invalid value.
    public static func readStart(_ value: JSONValue) throws(JSONError) -> RangeBound {
        try read(value) { $0 }
    }

    /// Reads the exclusive end of a range. A day means its end, which is the beginning of the next
    /// day. Throws a `mismatch` with the path of an invalid value.
    public static func readEnd(_ value: JSONValue) throws(JSONError) -> RangeBound {
        try read(value) { $0.advanced(byDays: 1) }
    }

    private static func read(
        _ value: JSONValue,
        bound: (CalendarDate) -> CalendarDate
    ) throws(JSONError) -> RangeBound {
        if let day = try value.withUTF8(ISO8601.parseDate) { return .day(bound(day)) }
        if let time = try value.withUTF8(ISO8601.parseRequested) { return .time(time) }
        throw value.mismatch(
            expected: "a date like 2026-11-24, or an ISO 8601 time like 2026-11-24T09:30+01:00, or "
                + "2026-11-24T09:30 for a salon with a time zone"
        )
    }
}
