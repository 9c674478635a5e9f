public import Domain
public import JSON

/// The JSON of an interval of opening or working hours: `["09:00", "12:30"]`. An end at or before
/// its start is on the next day. An end of `"24:00"` is 00:00 of the next day.
public enum OpeningHoursCodec: ModelCodec {
    /// Arrays of two times. The schema cannot describe that the start is never `"24:00"`.
    public static let schema: JSONSchema = {
        let two = JSONFragment { $0.integer(2) }
        let time = JSONSchema.string(pattern: "^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$")
        return .encoded(JSONSchema.array(of: time).fragment)
            .adding("minItems", two).adding("maxItems", two)
    }()

    /// Reads an interval. Throws a `mismatch` with the path of an invalid value.
    public static func read(_ value: JSONValue) throws(JSONError) -> OpeningHours {
        guard let ends = (try? value.array()).map(Array.init), ends.count == 2 else {
            throw value.mismatch(
                expected: #"an interval with a start and an end; a day is a list of them, such as "#
                    + #"[["09:00", "12:30"]]"#
            )
        }
        return OpeningHours(
            opens: TimeOfDay(minuteOfDay: try minutes(ends[0], in: 0...1_439)),
            closes: TimeOfDay(minuteOfDay: try minutes(ends[1], in: 0...1_440))
        )
    }

    /// Writes an interval.
    public static func write(_ hours: OpeningHours, to writer: inout JSONWriter) {
        writer.array { writer in
            writer.string(hours.opens.description)
            writer.string(hours.closes.description)
        }
    }

    private static func minutes(
        _ value: JSONValue,
        in range: ClosedRange<Int>
    ) throws(JSONError) -> Int {
        let minutes = try value.withUTF8 { text -> Int? in
            var cursor = DigitCursor(text)
            guard let hour = cursor.number(digits: 2, in: 0...24), cursor.skip(":"),
                let minute = cursor.number(digits: 2, in: 0...59), cursor.isAtEnd
            else { return nil }
            return hour * 60 + minute
        }
        guard let minutes, range.contains(minutes) else {
            let last = range.contains(1_440) ? "24:00" : "23:59"
            throw value.mismatch(expected: "a time from 00:00 to \(last)")
        }
        return minutes
    }
}
