/// A time as a caller writes it.
public enum RequestedTime: Sendable, Hashable {
    /// An instant, without a wall clock.
    case instant(Timestamp)
    /// A wall clock time with a UTC offset.
    case wallClock(AppointmentTime)
    /// A wall clock time without a UTC offset.
    case local(LocalTime)
}

extension RequestedTime {
    /// The time that this names on a salon's clock.
    ///
    /// A time with an offset is returned unchanged: ``BookAppointment`` checks it, and must see a
    /// repeated request as it was.
    public func time(on clock: SalonClock?) throws(InvalidTimeError) -> AppointmentTime {
        if case .wallClock(let time) = self { return time }
        return try (clock ?? .offset(minutes: 0)).read(self)
    }
}
