import JSON

/// The result of `salons/availability`.
extension JSONObject {
    /// The start times in this state, as bookings accept them: `2026-11-23T09:30:00`, and with the
    /// offset if the salon has no time zone or the time has its own.
    func starts(_ state: StaticString = "free") throws -> [String] {
        let usualOffset = try self["timeZone"] == nil ? required("offset").string() : ""
        return try startsByDay(state).map { _, date, time in
            // A time past midnight is listed with the day before, and has its own date.
            let ownDate = time.contains("T") ? String(time.prefix(10)) : date
            let text = time.contains("T") ? String(time.dropFirst(11)) : time
            let clock = text.prefix { !"+-".contains($0) }
            let offset = text == clock ? usualOffset : String(text.dropFirst(clock.count))
            return "\(ownDate)T\(clock):00\(offset)"
        }
    }

    /// The start times in this state, with the dates and the UTC offsets of their days.
    func startsByDay(
        _ state: StaticString
    ) throws -> [(offset: String, date: String, time: String)] {
        try required("days").array().map { try $0.object() }.flatMap { day in
            let offset = try (day["offset"] ?? required("offset")).string()
            let date = try day.required("date").string()
            return try day[state]?.array().map { (offset, date, try $0.string()) } ?? []
        }
    }
}
