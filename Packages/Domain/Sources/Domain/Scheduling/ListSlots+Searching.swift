extension ListSlots {
    /// The request on the clock of `salon`. Throws if it does not fit the salon.
    func search(
        for request: Request,
        at salon: Salon
    ) throws(AvailabilityError) -> Search {
        let start: AppointmentTime? =
            switch request.start {
            case .time(.wallClock(let time)): time
            case .time(.instant(let instant)): AppointmentTime(instant: instant)
            case .time(.local), .time(.relative), .day, .relativeDay: nil
            }
        let clock = try clock(of: salon, for: start)
        let schedule = Schedule(of: salon, on: clock)
        return Search(
            schedule: schedule,
            range: try range(of: request, on: clock),
            options: request.options,
            requirement: try requirement(of: request, at: schedule),
            explained: try explainedTime(of: request, by: schedule)
        )
    }

    private func requirement(
        of request: Request,
        at schedule: Schedule
    ) throws(AvailabilityError) -> Requirement {
        do throws(InvalidOptionsError) {
            return try schedule.requirement(for: request.options)
        } catch {
            throw .invalidOptions(error)
        }
    }

    /// If the salon has no time zone, its rules apply at the UTC offset of the explained time, as
    /// they do for a booking.
    private func explainedTime(
        of request: Request,
        by schedule: Schedule
    ) throws(AvailabilityError) -> ExplainedTime? {
        guard let explain = request.explain else { return nil }
        let time = try self.time(of: explain, field: "explain", on: schedule.clock)
        let clock = try clock(of: schedule.salon, for: time)
        return ExplainedTime(time: time, schedule: Schedule(of: schedule.salon, on: clock))
    }

    private func clock(
        of salon: Salon,
        for time: AppointmentTime?
    ) throws(AvailabilityError) -> SalonClock {
        do throws(UnknownZoneError) {
            return try SalonClock(of: salon, zones: zones, for: time)
        } catch {
            throw .zoneUnknown(error.zone)
        }
    }

    private func range(
        of request: Request,
        on clock: SalonClock
    ) throws(AvailabilityError) -> TimeRange {
        let start = clock.time(at: try instant(request.start, "start", on: clock))
        let end = clock.time(at: try instant(request.end, "end", on: clock))
        guard (1...Schedule.maximumRangeSeconds).contains(end.instant.seconds(since: start.instant))
        else {
            throw .invalidRange(reason: "must be after \"start\", by at most 31 days")
        }
        return TimeRange(start: start, end: end)
    }

    private func instant(
        _ bound: RangeBound,
        _ field: String,
        on clock: SalonClock
    ) throws(AvailabilityError) -> Timestamp {
        do throws(InvalidTimeError) {
            return try bound.instant(on: clock, now: self.clock.now)
        } catch {
            throw .invalidTime(field: field, error)
        }
    }

    private func time(
        of requested: RequestedTime,
        field: String,
        on clock: SalonClock
    ) throws(AvailabilityError) -> AppointmentTime {
        do throws(InvalidTimeError) {
            return try clock.time(of: requested, now: self.clock.now)
        } catch {
            throw .invalidTime(field: field, error)
        }
    }
}
