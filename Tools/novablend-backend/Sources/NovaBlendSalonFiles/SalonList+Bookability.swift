import Domain

extension SalonList {
    /// Warns about a salon at which nothing can be booked, and about services and staff members that
    /// cannot be booked.
    mutating func checkBookability(of salon: Salon, _ place: Place) {
        let bookability = Bookability(of: salon, from: today)
        let problems = bookability.problems
        let fatal = bookability.fatal(among: problems)
        if !fatal.isEmpty {
            let reasons = fatal.map { Self.reason($0, salon) }.joined(separator: "; ")
            report(.warning, place, "", "cannot be booked: \(reasons)")
        }
        for problem in problems where !fatal.contains(problem) {
            report(.warning, place, Self.path(of: problem), Self.phrase(problem))
        }
    }

    private static func path(of problem: Bookability.Problem) -> String {
        switch problem {
        case .neverOpen, .noticeExceedsHorizon, .appointmentTooLong, .noOneWorksLongEnough: ""
        case .serviceWithoutStaff(let index), .serviceTooLong(let index, _),
            .serviceWithoutTime(let index):
            "services[\(index)]"
        case .staffWithoutTime(let index), .staffWithoutServices(let index): "staff[\(index)]"
        }
    }

    private static func reason(_ problem: Bookability.Problem, _ salon: Salon) -> String {
        let path = path(of: problem)
        return path.isEmpty ? phrase(problem) : "\(path) \(phrase(problem))"
    }

    /// What is wrong, as a phrase that follows the path.
    private static func phrase(_ problem: Bookability.Problem) -> String {
        switch problem {
        case .neverOpen: "it is never open"
        case .noticeExceedsHorizon(let lead, let furthest):
            "lead_minutes is \(lead), but furthest_days is only \(furthest)"
        case .appointmentTooLong(let minutes, let longest):
            "an appointment takes \(minutes) minutes, but the longest opening has \(longest)"
        case .noOneWorksLongEnough(let minutes):
            "no one works for \(minutes) minutes at a time while it is open"
        case .serviceWithoutStaff: "is offered by no one"
        case .serviceTooLong(_, let longest):
            "is longer than the longest opening, which has \(longest) minutes"
        case .serviceWithoutTime:
            "cannot be booked, because no one who offers it works that long at a time while the salon "
                + "is open"
        case .staffWithoutTime: "never works while the salon is open"
        case .staffWithoutServices: "offers no service of the salon"
        }
    }
}
