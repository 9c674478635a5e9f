public import Domain

/// What a backend that divides time into grains requires of a salon, beyond what ``SalonCodec``
/// reads: times and lengths in whole grains, staff members who offer only services of the salon, and
/// no more seats than one booking can take.
public enum SalonRules {
    /// A value that a backend must reject.
    public struct Problem: Sendable, Hashable {
        /// The path of the value in the JSON of the salon, such as `services[1].minutes`.
        public var path: String
        /// What is wrong, as a phrase that follows the path: `must be a multiple of five minutes`.
        public var reason: String
    }

    /// Everything that is wrong with a salon, in the order of its JSON.
    public static func problems(of salon: Salon) -> [Problem] {
        var problems: [Problem] = []
        check([salon.hours.opens.minutes], at: "open_time", &problems)
        check([salon.hours.closes.minutes], at: "close_time", &problems)
        check([salon.slotMinutes ?? 0], at: "slot_minutes", &problems)
        check(salon.exceptions, at: "exceptions", &problems)
        check(salon.weekly, at: "weekly", &problems)
        for (index, service) in salon.services.enumerated() {
            let path = "services[\(index)]"
            check([service.minutes], at: "\(path).minutes", &problems)
            check([service.bufferBefore], at: "\(path).buffer_before", &problems)
            check([service.bufferAfter], at: "\(path).buffer_after", &problems)
        }
        let services = Set(salon.services.map(\.id))
        for (index, member) in salon.staff.enumerated() {
            let path = "staff[\(index)]"
            for (position, id) in (member.services ?? []).enumerated() where !services.contains(id)
            {
                let reason = "must be the id of a service of the salon"
                problems.append(Problem(path: "\(path).services[\(position)]", reason: reason))
            }
            check(member.weekly, at: "\(path).weekly", &problems)
            check(member.exceptions, at: "\(path).exceptions", &problems)
        }
        checkSize(of: salon, &problems)
        return problems
    }

    /// Checks that all seats can be booked at once for the longest time that the salon offers.
    private static func checkSize(of salon: Salon, _ problems: inout [Problem]) {
        let largest = Requirement.largest(at: salon)
        let most = largest.maximumSeats
        guard largest.count > most else { return }
        let minutes = largest.takenMinutes
        let reason =
            "must be at most \(most), because an appointment can take \(minutes) minutes, buffers "
            + "included, and a booking takes at most \(Requirement.maximumRows) units of five minutes"
        problems.append(Problem(path: "seats", reason: reason))
    }

    private static func check(
        _ exceptions: [OpeningException],
        at path: String,
        _ problems: inout [Problem]
    ) {
        // An exception with one interval has two forms in JSON, so its path is that of the object.
        for (index, exception) in exceptions.enumerated() {
            let ends = exception.hours.flatMap { [$0.opens.minutes, $0.closes.minutes] }
            check(ends, at: "\(path)[\(index)]", &problems, "must have hours in multiples")
        }
    }

    private static func check(
        _ weekly: WeeklyHours?,
        at path: String,
        _ problems: inout [Problem]
    ) {
        guard let weekly else { return }
        for (day, key) in zip(Weekday.allCases, WeeklyHoursCodec.keys) {
            for (index, hours) in weekly[day].enumerated() {
                let interval = "\(path).\(key)[\(index)]"
                check([hours.opens.minutes], at: "\(interval)[0]", &problems)
                check([hours.closes.minutes], at: "\(interval)[1]", &problems)
            }
        }
    }

    private static func check(
        _ minutes: [Int],
        at path: String,
        _ problems: inout [Problem],
        _ reason: String = "must be a multiple"
    ) {
        let grain = Int(TimePrecision.grainSeconds / 60)
        guard minutes.contains(where: { $0 % grain != 0 }) else { return }
        problems.append(Problem(path: path, reason: "\(reason) of \(grain) minutes"))
    }
}
