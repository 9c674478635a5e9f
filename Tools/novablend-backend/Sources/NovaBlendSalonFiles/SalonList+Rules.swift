import Contract
import Domain

/// Checks of schedules that the codec does not make.
extension SalonList {
    /// Checks that each date has only one exception, and that `open_time` and `close_time` are the
    /// earliest opening and the latest closing of the week.
    mutating func checkHours(of salon: Salon, _ place: Place) {
        checkDates(salon.exceptions, at: "exceptions", place)
        for (index, member) in salon.staff.enumerated() {
            checkDates(member.exceptions, at: "staff[\(index)].exceptions", place)
        }
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

    private mutating func checkDates(
        _ exceptions: [OpeningException],
        at list: String,
        _ place: Place
    ) {
        var indexes: [CalendarDate: Int] = [:]
        for (index, exception) in exceptions.enumerated() {
            let path = "\(list)[\(index)].date"
            guard place.isValid(path) else { continue }
            if let first = indexes[exception.date] {
                let message = "is also the date of \(list)[\(first)], which applies"
                report(.warning, place, path, message)
            } else {
                indexes[exception.date] = index
            }
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
        for problem in SalonRules.problems(of: salon) {
            let isServiceID = problem.path.withoutIndexes == "staff[].services[]"
            let isUncertain =
                isServiceID && isIDReplaced || problem.path == "seats" && isLengthReplaced
            if isUncertain || result.isReplaced(problem.path) { continue }
            report(.error, place, problem.path, problem.reason)
        }
    }
}
