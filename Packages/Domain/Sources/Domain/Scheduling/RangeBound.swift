/// The start or the exclusive end of a range of times, as a caller writes it.
public enum RangeBound: Sendable, Hashable {
    /// A time.
    case time(RequestedTime)
    /// The first instant of a day.
    case day(CalendarDate)

    /// The instant on a salon's clock.
    ///
    /// A range lies between instants, so a time with an offset may be on any clock.
    public func instant(on clock: SalonClock) throws(InvalidTimeError) -> Timestamp {
        switch self {
        case .time(.wallClock(let time)): time.instant
        case .time(let requested): try clock.time(of: requested).instant
        case .day(let date):
            clock.reading(of: LocalTime(date, TimeOfDay(minuteOfDay: 0))).first
        }
    }

    /// The offset that the caller states; 0 if the caller states none.
    var offsetMinutes: Int {
        if case .time(.wallClock(let time)) = self { time.offsetMinutes } else { 0 }
    }
}
