/// A time interval at a salon, and whether it can be booked.
public struct Slot: Sendable, Hashable {
    /// The start of the slot.
    public var start: AppointmentTime
    /// The end of the slot, exclusive.
    public var end: AppointmentTime
    /// Whether the slot can be booked.
    public var isAvailable: Bool

    /// Creates a slot.
    public init(start: AppointmentTime, end: AppointmentTime, isAvailable: Bool) {
        self.start = start
        self.end = end
        self.isAvailable = isAvailable
    }

    /// The length in minutes, rounded down.
    public var minutes: Int { Int(end.instant.seconds(since: start.instant) / 60) }
}
