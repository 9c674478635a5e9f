extension ListSlots {
    /// Explains a time by the server's `slot` at it, and by the rules of the salon if they are known.
    func explain(
        _ explained: ExplainedTime,
        _ search: Search,
        by slot: Slot?,
        _ own: [OwnBooking],
        free: [AppointmentTime]
    ) -> Availability.Explanation {
        let (instant, schedule) = (explained.time.instant, explained.schedule)
        let rule = schedule.rule(blocking: instant, for: search.requirement, now: clock.now)
        let verdict: Availability.Verdict =
            switch (slot?.isAvailable, rule) {
            case (_, .past?): .blocked(.past)
            case (true?, _): .bookable
            case (_, let rule?) where search.areRulesKnown: .blocked(rule)
            // The server has a rule that the salon does not state.
            case (false?, _) where (slot?.free ?? 0) >= search.requirement.count: .unknown
            case (false?, _): .blocked(.taken)
            case (nil, _): .unknown
            }
        return Availability.Explanation(
            explained,
            search.requirement,
            verdict,
            staff: slot?.staff,
            own,
            free: free
        )
    }

    /// Explains a time by the times that are taken; `busy` is nil if they are not known.
    func explain(
        _ explained: ExplainedTime,
        _ search: Search,
        by busy: [BusyInterval]?,
        _ own: [OwnBooking]
    ) -> Availability.Explanation {
        let (instant, schedule, now) = (explained.time.instant, explained.schedule, clock.now)
        let requirement = search.requirement
        let taken = busy ?? []
        let rule = schedule.rule(blocking: instant, for: requirement, busy: taken, now: now)
        let verdict = rule.map(Availability.Verdict.blocked) ?? (busy == nil ? .unknown : .bookable)
        let free = schedule.alternatives(
            to: max(instant, now),
            for: requirement,
            busy: taken,
            now: now
        )
        return Availability.Explanation(
            explained,
            requirement,
            verdict,
            staff: busy.flatMap { schedule.staff(for: requirement, at: instant, busy: $0) },
            own,
            free: verdict == .unknown ? [] : free
        )
    }
}

extension Availability.Explanation {
    /// The explanation with the caller's own booking if that takes the time, and with the times in
    /// `free` unless the time can be booked.
    fileprivate init(
        _ explained: ListSlots.ExplainedTime,
        _ requirement: Requirement,
        _ verdict: Availability.Verdict,
        staff: [StaffAvailability]?,
        _ own: [OwnBooking],
        free: [AppointmentTime]
    ) {
        let (salon, start) = (explained.schedule.salon, explained.time.instant)
        let end = requirement.end(from: start)
        time = explained.time
        self.verdict = verdict
        // The server does not list who was free in the past.
        self.staff = verdict == .blocked(.past) ? nil : staff
        ownBooking =
            verdict == .blocked(.taken)
            ? own.first { $0.appointment.overlaps(start, end, at: salon) } : nil
        alternatives = verdict == .bookable ? [] : free
    }
}
