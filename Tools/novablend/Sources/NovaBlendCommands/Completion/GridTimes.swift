import CommandLineKit
import Domain
import Glibc

/// The times at which an appointment can start according to the hours of a salon and its staff, in
/// the forms that a person types. They may be taken.
struct GridTimes {
    private let schedule: Schedule
    private let requirement: Requirement?
    private let typedTimes: TypedTime
    private let now: Timestamp

    /// - Parameter now: The current time, by default that of the system.
    init(
        of salon: Salon,
        _ options: BookingOptions,
        now: Timestamp = Timestamp(secondsSince1970: Int64(Glibc.time(nil)))
    ) {
        let clock = FoundSalon.clock(salon.timeZone?.description)
        schedule = Schedule(of: salon, on: clock ?? .machine())
        requirement = try? schedule.requirement(for: options)
        typedTimes = TypedTime(clock: clock, now: now)
        self.now = now
    }

    /// The times that begin with what was typed: those of the typed day, or else of the first two
    /// days of the next seven that have any.
    func candidates(completing typed: String) -> [CompletionCandidate] {
        if let separator = TypedTime.separator(in: typed) {
            guard let date = typedTimes.day(typed[..<separator]) else { return [] }
            return candidates(on: date, after: String(typed[...separator]), typed)
        }
        guard let today = typedTimes.day("today") else { return [] }
        let days = (0..<7).lazy.map { offset in
            let date = today.advanced(byDays: offset)
            return candidates(on: date, after: "\(date)T", typed)
        }
        return days.filter { !$0.isEmpty }.prefix(2).flatMap(\.self)
    }

    /// The times of a day, after the text of the day as it was typed.
    private func candidates(
        on date: CalendarDate,
        after day: String,
        _ typed: String
    ) -> [CompletionCandidate] {
        let midnight = LocalTime(date, TimeOfDay(minuteOfDay: 0))
        let from = schedule.clock.reading(of: midnight).first
        let slots = schedule.slots(
            for: requirement,
            from: from,
            to: from.advanced(bySeconds: 25 * 3_600),
            now: now
        )
        return slots.compactMap { slot in
            let local = slot.start.localTime
            // A time that the clock shows twice would be rejected.
            guard slot.isAvailable, local.date == date,
                case .unique = schedule.clock.reading(of: local)
            else { return nil }
            let text = day + "\(local.timeOfDay)"
            guard text.lowercased().hasPrefix(typed.lowercased()) else { return nil }
            return CompletionCandidate(text, summary: "\(date.weekday.rawValue); may be taken")
        }
    }
}
