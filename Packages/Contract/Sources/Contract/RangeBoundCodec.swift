public import Domain
public import JSON

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
