/// A time in one of the forms that a caller can use.
public enum RequestedTime: Sendable, Hashable {
    /// An instant in UTC.
    case instant(Timestamp)
    /// A wall-clock time with a UTC offset.
    case wallClock(AppointmentTime)
    /// A wall-clock time without a UTC offset.
    case local(LocalTime)
}
