public import Domain
public import JSON

/// The JSON of days with exceptional hours: `{"from": "2026-12-21", "to": "2027-01-06", "closed": true}`,
/// or with `open_time` and `close_time` instead of `closed`, or with `intervals` as in
/// ``DayHoursCodec``. One day can have `date` instead of `from` and `to`. With several intervals, the
/// two times are the earliest opening and the latest closing.
public enum OpeningExceptionCodec: ModelCodec {
    /// The schemas of days on which the salon is closed, of days with other hours, and of days with
    /// several intervals; of one day and of several.
    public static let schema = JSONSchema.anyOf([
        .object(ObjectSchema(date + closed).named("ClosedDay")),
        .object(ObjectSchema(date + times).named("DayWithOtherHours")),
        .object(ObjectSchema(date + intervals).named("DayWithIntervals")),
        .object(ObjectSchema(range + closed).named("ClosedDays")),
        .object(ObjectSchema(range + times).named("DaysWithOtherHours")),
        .object(ObjectSchema(range + intervals).named("DaysWithIntervals")),
    ])

    private static let date = [ObjectSchema.Property("date", CalendarDateCodec.schema)]
    private static let range: [ObjectSchema.Property] = [
        .init("from", CalendarDateCodec.schema, "the first day"),
        .init("to", CalendarDateCodec.schema, "the last day"),
    ]
    private static let closed = [
        ObjectSchema.Property(
            "closed",
            JSONSchema.boolean.adding("const", JSONFragment { $0.bool(true) })
        )
    ]
    private static let times: [ObjectSchema.Property] = [
        .init("open_time", TimeOfDayCodec.schema),
        .init("close_time", TimeOfDayCodec.schema),
        .optional("intervals", JSONSchema.null),
        notClosed,
    ]
    private static let intervals: [ObjectSchema.Property] = [
        .init("intervals", DayHoursCodec.schema, "closed if empty"),
        .optional("open_time", TimeOfDayCodec.schema, "the earliest"),
        .optional("close_time", TimeOfDayCodec.schema, "the latest"),
        notClosed,
    ]
    private static let notClosed = ObjectSchema.Property.optional(
        "closed",
        JSONSchema.boolean.adding("const", JSONFragment { $0.bool(false) })
    )

    /// Reads an exception. Throws a `mismatch` with the path of an invalid value.
    public static func read(_ value: JSONValue) throws(JSONError) -> OpeningException {
        let object = try value.object()
        let dates = try dates(of: object)
        if try object.optional("closed")?.bool() == true {
            return OpeningException(dates: dates, hours: [])
        }
        if let intervals = object.optional("intervals") {
            let hours = try DayHoursCodec.read(intervals)
            _ = try object.optional("open_time").map(TimeOfDayCodec.read)
            _ = try object.optional("close_time").map(TimeOfDayCodec.read)
            return OpeningException(dates: dates, hours: hours)
        }
        let hours = OpeningHours(
            opens: try TimeOfDayCodec.read(object.required("open_time")),
            closes: try TimeOfDayCodec.read(object.required("close_time"))
        )
        return OpeningException(dates: dates, hours: [hours])
    }

    private static func dates(
        of object: JSONObject
    ) throws(JSONError) -> ClosedRange<CalendarDate> {
        let (from, to) = (object.optional("from"), object.optional("to"))
        guard let bound = from ?? to else {
            let day = try date(object.required("date"))
            return day...day
        }
        guard object.optional("date") == nil else {
            throw bound.mismatch(expected: "absent, because there is a date")
        }
        let (first, end) = (try date(object.required("from")), try object.required("to"))
        let last = try date(end)
        guard first <= last else {
            throw end.mismatch(expected: "a date that is not before from, which is \(first)")
        }
        return first...last
    }

    private static func date(_ value: JSONValue) throws(JSONError) -> CalendarDate {
        try value.text("a date like 2026-12-24", ISO8601.parseDate)
    }

    /// Writes an exception.
    public static func write(_ exception: OpeningException, to writer: inout JSONWriter) {
        let (first, last) = (exception.dates.lowerBound, exception.dates.upperBound)
        writer.object { writer in
            if first == last {
                writer.member("date", first.description)
            } else {
                writer.member("from", first.description)
                writer.member("to", last.description)
            }
            guard let summary = exception.hours.summary else {
                writer.member("closed", true)
                return
            }
            if exception.hours.count > 1 {
                writer.member("intervals", exception.hours, as: DayHoursCodec.self)
            }
            writer.member("open_time", summary.opens, as: TimeOfDayCodec.self)
            writer.member("close_time", summary.closes, as: TimeOfDayCodec.self)
        }
    }
}
