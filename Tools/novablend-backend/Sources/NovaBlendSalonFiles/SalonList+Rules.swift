import Contract
import Domain

/// Checks of schedules that the codec does not make.
extension SalonList {
    /// Checks the dates of exceptions, and that the hours of a day are those of the week.
    ///
    /// - Parameter isValid: Whether the file has a valid value at a path within the salon.
    mutating func checkHours(
        of salon: Salon,
        _ place: Place,
        where isValid: (String) -> Bool
    ) {
        checkDates(salon.exceptions, at: "exceptions", place, where: isValid)
        for (index, member) in salon.staff.enumerated() {
            let path = "staff[\(index)].exceptions"
            checkDates(member.exceptions, at: path, place, where: isValid)
        }
        guard let weekly = salon.weekly, isValid("weekly"),
            let summary = Weekday.allCases.flatMap({ weekly[$0] }).summary
        else { return }
        if summary.opens != salon.hours.opens, isValid("open_time") {
            let message = "is not the earliest opening in weekly, which is \(summary.opens)"
            report(.warning, place, "open_time", message)
        }
        if summary.closes != salon.hours.closes, isValid("close_time") {
            let message = "is not the latest closing in weekly, which is \(summary.closes)"
            report(.warning, place, "close_time", message)
        }
    }

    private mutating func checkDates(
        _ exceptions: [OpeningException],
        at list: String,
        _ place: Place,
        where isValid: (String) -> Bool
    ) {
        var indexes: [CalendarDate: Int] = [:]
        for (index, exception) in exceptions.enumerated() {
            let path = "\(list)[\(index)].date"
            guard isValid(path) else { continue }
            if let first = indexes[exception.date] {
                let message = "is also the date of \(list)[\(first)], which applies"
                report(.warning, place, path, message)
            } else {
                indexes[exception.date] = index
            }
        }
    }

    /// Reports what the backend rejects although the codec can read it.
    mutating func checkRules(of salon: Salon, _ place: Place, _ result: SalonReader.Result) {
        // If the id of a service is not known, a staff member may offer it.
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
