import Contract
import Domain
import JSON

/// A start time in the list of free times.
struct ListedTime: Sendable {
    enum State: String, CaseIterable {
        case free
        case unconfirmed
        case taken
        case own
    }

    let start: AppointmentTime
    let end: AppointmentTime
    let state: State
    /// The number of staff members or seats that are free; nil if there is only one, or if it is not
    /// known.
    private(set) var free: Int?

    /// The times of `day`, which is one of the days of the result, in order.
    static func times(of day: JSONObject, in result: JSONObject) -> [ListedTime] {
        let states: [(name: StaticString, state: State)] = [
            ("free", .free), ("unconfirmed", .unconfirmed), ("taken", .taken), ("own", .own),
        ]
        let counts = (try? day.optional("freeCounts")?.array())?.map { try? $0.integer() } ?? []
        return states.flatMap { name, state in
            day.texts(name).enumerated().compactMap { number, text in
                var time = ListedTime(text, state, day, result)
                if state == .free, number < counts.count { time?.free = counts[number] }
                return time
            }
        }
        .sorted { $0.start < $1.start }
    }

    /// Reads `09:30`, `02:30+02:00`, or `09:30/10:15`.
    private init?(_ text: String, _ state: State, _ day: JSONObject, _ result: JSONObject) {
        var date = day.text("date") ?? ""
        let offset = day.text("offset") ?? result.text("offset") ?? ""
        let parts = text.split(separator: "/")
        guard let typed = parts.first, let start = Self.time(typed, on: date, offset) else {
            return nil
        }
        let minutes = result.integer("serviceMinutes") ?? result.integer("slotMinutes") ?? 0
        var end = start.advanced(byMinutes: minutes)
        if parts.count > 1, let stated = Self.time(parts[1], on: date, offset) {
            end = stated
            // The end is on the next day.
            if end.instant <= start.instant {
                date = start.localTime.date.advanced(byDays: 1).description
                end = Self.time(parts[1], on: date, offset) ?? end
            }
        }
        (self.start, self.end, self.state) = (start, end, state)
    }

    private static func time(
        _ text: Substring,
        on date: String,
        _ offset: String
    ) -> AppointmentTime? {
        let clock = text.prefix { !"+-".contains($0) }
        let seconds = clock.count == "09:30".count ? ":00" : ""
        let own = text.dropFirst(clock.count)
        return ISO8601.parse("\(date)T\(clock)\(seconds)\(own.isEmpty ? offset : String(own))")
    }
}
