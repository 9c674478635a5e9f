/// A time in one of the forms that a caller can use.
public enum RequestedTime: Sendable, Hashable {
    /// An instant in UTC.
    case instant(Timestamp)
    /// A wall-clock time with a UTC offset.
    case wallClock(AppointmentTime)
    /// A wall-clock time without a UTC offset.
    case local(LocalTime)
}

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

/// Why a requested time does not name exactly one instant.
public struct InvalidTimeError: Error, Sendable, Hashable {
    /// The reason, worded so that it forms a sentence after the name of the field.
    public var reason: String
    /// The times that the caller may have intended.
    public var candidates: [AppointmentTime]

    /// Creates an error.
    public init(reason: String, candidates: [AppointmentTime] = []) {
        self.reason = reason
        self.candidates = candidates
    }
}
