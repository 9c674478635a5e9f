public import Domain
public import JSON

/// The JSON of a day with exceptional hours: `{"date": "2026-12-24", "closed": true}`, or with
/// `open_time` and `close_time` instead of `closed`, or with `intervals` as in ``DayHoursCodec``.
/// With several intervals, the two times are the earliest opening and the latest closing.
public enum OpeningExceptionCodec: ModelCodec {
    /// The schemas of a day on which the salon is closed, of a day with other hours, and of a day
    /// with several intervals.
    public static let schema = JSONSchema.anyOf([
        .object(
            ObjectSchema([
                .init("date", CalendarDateCodec.schema),
                .init("closed", JSONSchema.boolean.adding("const", JSONFragment { $0.bool(true) })),
            ]).named("ClosedDay")
        ),
        .object(
            ObjectSchema([
                .init("date", CalendarDateCodec.schema),
                .init("open_time", TimeOfDayCodec.schema),
                .init("close_time", TimeOfDayCodec.schema),
                .optional("intervals", JSONSchema.null),
                notClosed,
            ]).named("DayWithOtherHours")
        ),
        .object(
            ObjectSchema([
                .init("date", CalendarDateCodec.schema),
                .init("intervals", DayHoursCodec.schema, "closed if empty"),
                .optional("open_time", TimeOfDayCodec.schema, "the earliest"),
                .optional("close_time", TimeOfDayCodec.schema, "the latest"),
                notClosed,
            ]).named("DayWithIntervals")
        ),
    ])

    private static let notClosed = ObjectSchema.Property.optional(
        "closed",
        JSONSchema.boolean.adding("const", JSONFragment { $0.bool(false) })
    )

    /// Reads an exception. Throws a `mismatch` with the path of an invalid value.
    public static func read(_ value: JSONValue) throws(JSONError) -> OpeningException {
        let object = try value.object()
        let day = try object.required("date")
        let date = try day.text("a date like 2026-12-24", ISO8601.parseDate)
        if try object.optional("closed")?.bool() == true {
            return OpeningException(date: date, hours: [])
        }
        if let intervals = object.optional("intervals") {
            let hours = try DayHoursCodec.read(intervals)
            _ = try object.optional("open_time").map(TimeOfDayCodec.read)
            _ = try object.optional("close_time").map(TimeOfDayCodec.read)
            return OpeningException(date: date, hours: hours)
        }
        let hours = OpeningHours(
            opens: try TimeOfDayCodec.read(object.required("open_time")),
            closes: try TimeOfDayCodec.read(object.required("close_time"))
        )
        return OpeningException(date: date, hours: [hours])
    }

    /// Writes an exception.
    public static func write(_ exception: OpeningException, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("date", exception.date.description)
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
