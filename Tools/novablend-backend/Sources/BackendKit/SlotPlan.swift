import Domain

/// The slots of a salon over a range of time, cut from its opening hours.
struct SlotPlan {
    let salon: Salon
    /// The range begins here; its offset is the wall clock that the hours are read on.
    let from: AppointmentTime
    let to: Timestamp

    /// The slots that begin within the range, in order. `taken` are instants that are booked; what
    /// lies before `now` is not available either.
    func slots(taken: Set<Int64>, now: Timestamp) -> [Slot] {
        let offset = Int64(from.offsetMinutes) * 60
        // A day before, since the hours of a day may reach past its midnight.
        let firstDay = floor(from.instant.secondsSince1970 + offset) - 1
        let lastDay = floor(to.secondsSince1970 + offset)
        guard firstDay <= lastDay else { return [] }
        return (firstDay...lastDay).flatMap { day in starts(on: day, offset: offset) }
            .filter { $0.instant >= from.instant && $0.instant < to }
            .map { start in
                let isFree = !taken.contains(start.instant.secondsSince1970) && start.instant > now
                return Slot(
                    start: start,
                    end: start.advanced(byMinutes: salon.slotMinutes),
                    isAvailable: isFree
                )
            }
    }

    private func floor(_ seconds: Int64) -> Int64 {
        seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400
    }

    private func starts(on day: Int64, offset: Int64) -> [AppointmentTime] {
        let opens = salon.hours.opens.minutes
        let closes = salon.hours.closes.minutes
        let length = closes > opens ? closes - opens : closes - opens + 1_440
        let midnight = Timestamp(secondsSince1970: day * 86_400 - offset)
        return stride(from: 0, through: length - salon.slotMinutes, by: salon.slotMinutes).map {
            AppointmentTime(instant: midnight, offsetMinutes: from.offsetMinutes)
                .advanced(byMinutes: opens + $0)
        }
    }
}
