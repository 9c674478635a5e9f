public import Domain

/// What a backend that divides time into grains requires of a salon, beyond what ``SalonCodec``
/// reads: times and lengths in whole grains, staff members who offer only services of the salon, no
/// more seats than one booking can take, exceptions that do not overlap, and a limited size.
public enum SalonRules {
    /// The maximum size of the JSON of a salon, as ``SalonCodec`` writes it, in bytes. Each booking
    /// reads the salon.
    public static let maximumBytes = 256 << 10
    /// The maximum number of aliases.
    public static let maximumAliases = 50
    /// The maximum number of characters of an alias.
    public static let maximumAliasLength = 100
    /// The maximum number of days of an exception: two years.
    public static let maximumExceptionDays = 731

    /// A value that a backend must reject.
    public struct Problem: Sendable, Hashable {
        /// The path of the value in the JSON of the salon, such as `services[1].minutes`; empty for
        /// the salon itself.
        public var path: String
        /// What is wrong, as a phrase that follows the path: `must be a multiple of five minutes`.
        public var reason: String
    }

    /// Everything that is wrong with a salon, in the order of its JSON.
    public static func problems(of salon: Salon) -> [Problem] {
        var problems: [Problem] = []
        check(aliases: salon.aliases, &problems)
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
        check(salon.services.map(\.id), at: "services", &problems)
        check(salon.staff.map(\.id), at: "staff", &problems)
        let services = Set(salon.services.map { ElementKey($0.id) })
        for (index, member) in salon.staff.enumerated() {
            let path = "staff[\(index)]"
            for (position, id) in (member.services ?? []).enumerated()
            where !services.contains(ElementKey(id)) {
                let reason = "must be the id of a service of the salon"
                problems.append(Problem(path: "\(path).services[\(position)]", reason: reason))
            }
            check(member.weekly, at: "\(path).weekly", &problems)
            check(member.exceptions, at: "\(path).exceptions", &problems)
        }
        checkSeats(of: salon, &problems)
        // A version belongs to a database, not to the salon.
        var content = salon
        content.version = nil
        let bytes = SalonCodec.encode(content).count
        if bytes > maximumBytes {
            let reason = "must be at most \(maximumBytes) bytes of JSON, but has \(bytes)"
            problems.append(Problem(path: "", reason: reason))
        }
        return problems
    }

    private static func check(aliases: [String], _ problems: inout [Problem]) {
        if aliases.count > maximumAliases {
            let reason = "must have at most \(maximumAliases) elements"
            problems.append(Problem(path: "aliases", reason: reason))
        }
        var indices: [String: Int] = [:]
        for (index, alias) in aliases.enumerated() {
            var reason: String?
            if alias.allSatisfy(\.isWhitespace) {
                reason = "must not be blank"
            } else if alias.unicodeScalars.count > maximumAliasLength {
                reason = "must have at most \(maximumAliasLength) characters"
            } else if let first = indices.updateValue(index, forKey: alias) {
                reason = "must not be that of aliases[\(first)]"
            }
            if let reason {
                problems.append(Problem(path: "aliases[\(index)]", reason: reason))
            }
        }
    }

    /// Checks that all seats can be booked at once for the longest time that the salon offers.
    private static func checkSeats(of salon: Salon, _ problems: inout [Problem]) {
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
        checkDates(of: exceptions, at: path, &problems)
    }

    /// Checks the lengths of exceptions, and that no day is in two of them.
    private static func checkDates(
        of exceptions: [OpeningException],
        at path: String,
        _ problems: inout [Problem]
    ) {
        for (index, exception) in exceptions.enumerated() {
            let (first, last) = (exception.dates.lowerBound, exception.dates.upperBound)
            if last.daysSince1970 - first.daysSince1970 >= maximumExceptionDays {
                let reason = "must be at most \(maximumExceptionDays - 1) days after from"
                problems.append(Problem(path: "\(path)[\(index)].to", reason: reason))
            }
        }
        let sorted = exceptions.enumerated().sorted { one, other in
            let dates = (one.element.dates.lowerBound, other.element.dates.lowerBound)
            return dates.0 == dates.1 ? one.offset < other.offset : dates.0 < dates.1
        }
        guard var last = sorted.first else { return }
        for (index, exception) in sorted.dropFirst() {
            let dates = exception.dates
            if dates.lowerBound <= last.element.dates.upperBound {
                let key = dates.lowerBound == dates.upperBound ? "date" : "from"
                let reason = "must not be a day of \(path)[\(last.offset)], too"
                problems.append(Problem(path: "\(path)[\(index)].\(key)", reason: reason))
            }
            if dates.upperBound > last.element.dates.upperBound { last = (index, exception) }
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

    /// Checks that no two ids are the same UUID. ``SalonCodec`` does not read two equal texts.
    private static func check(_ ids: [String], at path: String, _ problems: inout [Problem]) {
        var indices: [ElementKey: Int] = [:]
        for (index, id) in ids.enumerated() {
            guard let first = indices.updateValue(index, forKey: ElementKey(id)) else { continue }
            let reason = "must not be that of \(path)[\(first)] in a different case"
            problems.append(Problem(path: "\(path)[\(index)].id", reason: reason))
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
