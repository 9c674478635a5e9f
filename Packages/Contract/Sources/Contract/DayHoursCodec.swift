public import Domain
public import JSON

/// The JSON of the hours that start on one day: `[["09:00", "12:30"], ["14:00", "18:00"]]`. They are
/// in order and do not overlap. An empty list means closed.
public enum DayHoursCodec: ModelCodec {
    /// Arrays of intervals. The schema cannot describe their order.
    public static let schema = JSONSchema.array(of: OpeningHoursCodec.schema)

    /// Reads the hours of a day. Throws a `mismatch` with the path of an invalid value.
    public static func read(_ value: JSONValue) throws(JSONError) -> [OpeningHours] {
        var mismatches: [JSONError] = []
        let hours = read(value, collecting: &mismatches)
        if let mismatch = mismatches.first { throw mismatch }
        return hours
    }

    /// Reads the hours of a day and appends every mismatch, so that all can be reported at once. The
    /// order is checked only between intervals that are valid.
    public static func read(
        _ value: JSONValue,
        collecting mismatches: inout [JSONError]
    ) -> [OpeningHours] {
        var day: [OpeningHours] = []
        do {
            for element in try value.array() {
                do {
                    let hours = try OpeningHoursCodec.read(element)
                    if let previous = day.last, !previous.ends(before: hours) {
                        let nextDay = previous.closes > previous.opens ? "" : " on the next day"
                        mismatches.append(
                            element.mismatch(
                                expected: "an interval that starts after the one before it ends, "
                                    + "which is at \(previous.closes)\(nextDay)"
                            )
                        )
                    }
                    day.append(hours)
                } catch {
                    mismatches.append(error)
                }
            }
        } catch {
            mismatches.append(error)
        }
        return day
    }

    /// Writes the hours of a day.
    public static func write(_ hours: [OpeningHours], to writer: inout JSONWriter) {
        writer.array { writer in
            for interval in hours { OpeningHoursCodec.write(interval, to: &writer) }
        }
    }
}

extension OpeningHours {
    /// Whether these hours end at or before the start of `next`, which starts on the same day, or
    /// `days` later.
    func ends(before next: OpeningHours, days: Int = 0) -> Bool {
        endMinutes <= next.opens.minutes + days * 1_440
    }
}
