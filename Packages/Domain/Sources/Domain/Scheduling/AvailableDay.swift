/// One day of an ``Availability``, on the salon's wall clock.
public struct AvailableDay: Sendable, Hashable {
    /// What is known about a time at which an appointment can start by the salon's rules.
    public enum State: Sendable, Hashable {
        /// It can be booked.
        case free
        /// It is free or taken: the salon's bookings are not known.
        case unconfirmed
        /// It is taken.
        case taken
        /// It is taken by the caller's own booking.
        case own
    }

    /// A time at which an appointment can start by the salon's rules.
    public struct Time: Sendable, Hashable {
        /// The start.
        public var start: AppointmentTime
        /// The end.
        public var end: AppointmentTime
        /// What is known about it.
        public var state: State
    }

    /// The date.
    public var date: CalendarDate
    /// The UTC offset of the clock at noon, in minutes.
    public var offsetMinutes: Int
    /// The hours that begin on this date; nil if the salon does not open.
    public var hours: OpeningHours?
    /// The times in order. Times that a rule of the salon blocks, such as past ones, are left out.
    public var times: [Time]
    /// Why no time is free or unconfirmed; nil if one is.
    public var reason: String?
}
