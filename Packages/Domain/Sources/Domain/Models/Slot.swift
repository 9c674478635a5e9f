/// A stretch of time in a salon that can be booked, or that already is.
public struct Slot: Sendable, Hashable {
    /// When it begins.
    public var start: AppointmentTime
    /// When it is over; the next slot may begin then.
    public var end: AppointmentTime
    /// Whether it can be booked.
    public var isAvailable: Bool

    /// Makes a slot.
    public init(start: AppointmentTime, end: AppointmentTime, isAvailable: Bool) {
        self.start = start
        self.end = end
        self.isAvailable = isAvailable
    }
}
