extension ListSlots {
    /// The request on the clock of `salon`. Throws if it does not fit the salon.
    func search(
        for request: Request,
        at salon: Salon
    ) async throws(Failure) -> Search {
        let clock = try clock(of: salon, for: request.timeWithOffset)
        let schedule = Schedule(of: salon, on: clock)
        let explained = try explainedTime(of: request, by: schedule)
        return Search(
            schedule: schedule,
            range: try range(of: request, explaining: explained?.time, on: clock),
            request: request,
            requirement: try await requirement(of: request, at: schedule),
            explained: explained
        )
    }

    private func requirement(
        of request: Request,
        at schedule: Schedule
    ) async throws(Failure) -> Requirement {
        do {
            return try schedule.requirement(for: request.options)
        } catch {
            // An appointment that is moved may keep a service that the salon has removed.
            if let moved = await movedAppointment(of: request),
                let found = try? schedule.requirement(for: request.options, moving: moved)
            {
                return found
            }
            throw error
        }
    }

    /// The appointment that is to be moved; nil if the request names none, or one that is not known.
    private func movedAppointment(of request: Request) async -> Appointment? {
        guard let id = request.movedID, let known = try? await appointments.load(.cacheFirst)
        else { return nil }
        return known.value.first { $0.id == id && $0.booking.salonID == request.salonID }
    }

    /// If the salon has no time zone, its rules apply at the UTC offset of the explained time, as
    /// they do for a booking.
    private func explainedTime(
        of request: Request,
        by schedule: Schedule
    ) throws(Failure) -> ExplainedTime? {
        guard let explain = request.explain else { return nil }
        let time = try self.time(of: explain, field: "explain", on: schedule.clock)
        let clock = try clock(of: schedule.salon, for: time)
        return ExplainedTime(time: time, schedule: Schedule(of: schedule.salon, on: clock))
    }

    private func clock(
        of salon: Salon,
        for time: AppointmentTime?
    ) throws(Failure) -> SalonClock {
        try SalonClock(of: salon, zones: zones, for: time)
    }

    private func range(
        of request: Request,
        explaining explained: AppointmentTime?,
        on clock: SalonClock
    ) throws(Failure) -> TimeRange {
        let usual = clock.time(at: explained?.instant ?? self.clock.now).localTime.date
        let startBound = request.start ?? .day(usual)
        let start = clock.time(at: try instant(startBound, "start", on: clock))
        let endBound = request.end ?? .day(start.localTime.date.advanced(byDays: 1))
        let end = clock.time(at: try instant(endBound, "end", on: clock))
        guard (1...Schedule.maximumRangeSeconds).contains(end.instant.seconds(since: start.instant))
        else {
            throw .invalidRequest(
                field: "end",
                reason: "must be after \"start\", by at most 31 days"
            )
        }
        return TimeRange(start: start, end: end)
    }

    private func instant(
        _ bound: RangeBound,
        _ field: String,
        on clock: SalonClock
    ) throws(Failure) -> Timestamp {
        do {
            return try bound.instant(on: clock, now: self.clock.now)
        } catch {
            throw .invalidTime(error, field: field)
        }
    }

    private func time(
        of requested: RequestedTime,
        field: String,
        on clock: SalonClock
    ) throws(Failure) -> AppointmentTime {
        do {
            return try clock.time(of: requested, now: self.clock.now)
        } catch {
            throw .invalidTime(error, field: field)
        }
    }
}

extension ListSlots.Request {
    /// The start of the range, or the time to explain if there is no start, with its UTC offset; nil if
    /// it states none.
    fileprivate var timeWithOffset: AppointmentTime? {
        let time: RequestedTime? =
            switch start {
            case .time(let time): time
            case .day, .relativeDay: nil
            case nil: explain
            }
        return switch time {
        case .wallClock(let time): time
        case .instant(let instant): AppointmentTime(instant: instant)
        case .local, .relative, nil: nil
        }
    }
}
