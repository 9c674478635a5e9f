/// The start or the exclusive end of a range of times, as a caller writes it.
public enum RangeBound: Sendable, Hashable {
    /// A time.
    case time(RequestedTime)
    /// The first instant of a day.
    case day(CalendarDate)

    /// The instant of this bound. A local time or a day is interpreted on `clock`. A time with a
    /// UTC offset may have any offset, because the offset only serves to compute the instant.
    /// Throws for a local time that the clock skips or shows twice.
    public func instant(on clock: SalonClock) throws(InvalidTimeError) -> Timestamp {
        switch self {
        case .time(.wallClock(let time)): time.instant
        case .time(let requested): try clock.time(of: requested).instant
        case .day(let date):
            clock.reading(of: LocalTime(date, TimeOfDay(minuteOfDay: 0))).first
        }
    }
}
