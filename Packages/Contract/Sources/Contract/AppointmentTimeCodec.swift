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

/// The JSON of a time that a caller requests, as in ``TimeText``.
public enum RequestedTimeCodec {
    /// Reads a time. Throws a `mismatch` with the path of an invalid value.
    public static func read(_ value: JSONValue) throws(JSONError) -> RequestedTime {
        switch try value.withUTF8({ TimeText($0) }) {
        case .time(let time): return time
        case .day(let date):
            throw value.mismatch(expected: "a date and a time of day, such as \(date)T10:30")
        case .relativeDay:
            throw value.mismatch(expected: "a day and a time of day, such as tomorrow 10:30")
        case .invalid(let expected): throw value.mismatch(expected: expected)
        case .unknownForm: throw value.mismatch(expected: TimeText.forms)
        }
    }
}

/// The JSON of the start or the end of a range: a time or a day, as in ``TimeText``.
public enum RangeBoundCodec {
    /// Reads the start of a range. A day means its beginning. Throws a `mismatch` with the path of
    /// an invalid value.
    public static func readStart(_ value: JSONValue) throws(JSONError) -> RangeBound {
        try read(value, daysLater: 0)
    }

    /// Reads the exclusive end of a range. A day means its end, which is the beginning of the next
    /// day. Throws a `mismatch` with the path of an invalid value.
    public static func readEnd(_ value: JSONValue) throws(JSONError) -> RangeBound {
        try read(value, daysLater: 1)
    }

    private static func read(
        _ value: JSONValue,
        daysLater: Int
    ) throws(JSONError) -> RangeBound {
        switch try value.withUTF8({ TimeText($0) }) {
        case .time(let time): return .time(time)
        case .day(let date): return .day(date.advanced(byDays: daysLater))
        case .relativeDay(let day): return .relativeDay(day, daysLater: daysLater)
        case .invalid(let expected): throw value.mismatch(expected: expected)
        case .unknownForm: throw value.mismatch(expected: "a date, or \(TimeText.forms)")
        }
    }
}
