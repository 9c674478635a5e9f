import Contract
import Domain

/// Checks of schedules that the codec does not make.
extension SalonList {
    /// Checks that `open_time` and `close_time` are the earliest opening and the latest closing of the
    /// week.
    mutating func checkHours(of salon: Salon, _ place: Place) {
        guard let weekly = salon.weekly, place.isValid("weekly"),
            let summary = Weekday.allCases.flatMap({ weekly[$0] }).summary
        else { return }
        if summary.opens != salon.hours.opens, place.isValid("open_time") {
            let message = "is not the earliest opening in weekly, which is \(summary.opens)"
            report(.warning, place, "open_time", message)
        }
        if summary.closes != salon.hours.closes, place.isValid("close_time") {
            let message = "is not the latest closing in weekly, which is \(summary.closes)"
            report(.warning, place, "close_time", message)
        }
    }

    /// Reports what the backend rejects although the codec can read it.
    mutating func checkRules(of salon: Salon, _ place: Place) {
        let result = place.result
        // If the id of a service could not be read, a staff member may offer that service, although
        // its id seems to be unknown.
        let isIDReplaced = result.replacedPaths.contains { path in
            ["services", "services[]", "services[].id"].contains(path.withoutIndexes)
        }
        // How many seats are possible depends on the lengths, and on whether there is staff.
        let isLengthReplaced = result.replacedPaths.contains { path in
            let member = path.prefix { $0 != "." && $0 != "[" }
            return member == "services" || member == "slot_minutes" || path == "staff"
        }
        let isDateReplaced = result.replacedPaths.contains { path in
            path.withoutIndexes.contains("exceptions")
        }
        for problem in SalonRules.problems(of: salon) {
            if isDateReplaced, ["date", "from", "to"].contains(problem.path.lastName) { continue }
            let isServiceID = problem.path.withoutIndexes == "staff[].services[]"
            let isUncertain =
                isServiceID && isIDReplaced || problem.path == "seats" && isLengthReplaced
            if isUncertain || result.isReplaced(problem.path) { continue }
            report(.error, place, problem.path, problem.reason)
        }
    }
}
