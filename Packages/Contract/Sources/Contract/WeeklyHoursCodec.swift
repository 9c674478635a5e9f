public import Domain
public import JSON

/// The JSON of weekly hours: `{"mon": [["09:00", "12:30"], ["14:00", "18:00"]], ...}`. A missing
/// day is closed. An interval that extends past midnight ends no later than the next day's hours
/// start.
public enum WeeklyHoursCodec: ModelCodec {
    /// The keys of the days, from Monday.
    public static let keys = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]

    /// Objects with a list of intervals for each day, and no other members.
    public static let schema = JSONSchema.object(
        ObjectSchema(
            keys.map { .optional($0, DayHoursCodec.schema) },
            isClosed: true
        ).named("WeeklyHours")
    )

    /// Reads weekly hours. Throws a `mismatch` with the path of an invalid value.
    public static func read(_ value: JSONValue) throws(JSONError) -> WeeklyHours {
        var mismatches: [JSONError] = []
        let weekly = read(value, collecting: &mismatches)
        if let mismatch = mismatches.first { throw mismatch }
        return weekly
    }

    /// Reads weekly hours and appends every mismatch, so that all can be reported at once. Days are
    /// compared only if both are valid.
    public static func read(
        _ value: JSONValue,
        collecting mismatches: inout [JSONError]
    ) -> WeeklyHours {
        var weekly = WeeklyHours()
        // The value of each day that is present and valid.
        var days: [Weekday: JSONValue] = [:]
        do {
            let object = try value.object()
            for (key, member) in object where !keys.contains(key) {
                mismatches.append(
                    member.mismatch(expected: "a day: \(keys.joined(separator: ", "))")
                )
            }
            for (day, key) in zip(Weekday.allCases, keys) {
                guard let member = object.optional(named: key) else { continue }
                let count = mismatches.count
                weekly[day] = DayHoursCodec.read(member, collecting: &mismatches)
                if mismatches.count == count { days[day] = member }
            }
        } catch {
            mismatches.append(error)
        }
        for (day, key) in zip(Weekday.allCases, keys.dropFirst() + keys.prefix(1)) {
            let next = Weekday.allCases[(day.daysSinceMonday + 1) % 7]
            guard let value = days[day], days[next] != nil, let last = weekly[day].last,
                let first = weekly[next].first, !last.ends(before: first, days: 1),
                let interval = (try? value.array())?.suffix(1).first
            else { continue }
            let expected = "an interval that ends by \(first.opens), when the hours of \(key) start"
            mismatches.append(interval.mismatch(expected: expected))
        }
        return weekly
    }

    /// Writes weekly hours.
    public static func write(_ weekly: WeeklyHours, to writer: inout JSONWriter) {
        writer.object { writer in
            for (day, key) in zip(Weekday.allCases, keys) where !weekly[day].isEmpty {
                writer.key(key)
                DayHoursCodec.write(weekly[day], to: &writer)
            }
        }
    }
}
