/// A time as a caller writes it.
public enum RequestedTime: Sendable, Hashable {
    /// An instant, without a wall clock.
    case instant(Timestamp)
    /// A wall clock time with a UTC offset.
    case wallClock(AppointmentTime)
    /// A wall clock time without a UTC offset.
    case local(LocalTime)
}
