/// A time as somebody asks for it.
public enum RequestedTime: Sendable, Hashable {
    /// An instant, with nothing said of any wall clock.
    case instant(Timestamp)
    /// A wall clock and how far it is ahead of UTC.
    case wallClock(AppointmentTime)
    /// A wall clock alone.
    case local(LocalTime)
}
