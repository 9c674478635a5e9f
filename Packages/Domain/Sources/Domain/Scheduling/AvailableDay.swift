/// One day of an ``Availability``, on the salon's wall clock.
public struct AvailableDay: Sendable, Hashable {
    /// The state of a time that the salon's rules allow.
    public enum State: String, Sendable, CaseIterable {
        /// The time can be booked.
        case free
        /// The time may be free or taken, because the salon's bookings are not known.
        case unconfirmed
        /// The time is taken.
        case taken
        /// The caller's own booking takes the time.
        case own
    }

    /// A time at which the salon's rules allow an appointment to start.
    public struct Time: Sendable, Hashable {
        /// The start.
        public var start: AppointmentTime
        /// The end.
        public var end: AppointmentTime
        /// Whether the time is free.
        public var state: State
        /// The number of staff members or seats that are free; nil if it is not known.
        public var free: Int?
        /// Which staff members could take the appointment; nil if it is not known, if it was not asked
        /// for, or if the salon has no staff.
        public var staff: [StaffAvailability]?

        /// Creates a time.
        ///
        /// - Parameters:
        ///   - start: The start.
        ///   - end: The end.
        ///   - state: Whether the time is free.
        ///   - free: The number of staff members or seats that are free; nil if it is not known.
        ///   - staff: Which staff members could take the appointment; nil if it is not known.
        public init(
            start: AppointmentTime,
            end: AppointmentTime,
            state: State,
            free: Int? = nil,
            staff: [StaffAvailability]? = nil
        ) {
            self.start = start
            self.end = end
            self.state = state
            self.free = free
            self.staff = staff
        }
    }

    /// The date.
    public var date: CalendarDate
    /// The UTC offset of the salon's clock at noon, in minutes.
    public var offsetMinutes: Int
    /// The hours that start on this date, in order; empty if the salon is closed.
    public var hours: [OpeningHours]
    /// The times, in order, without those that a rule blocks, such as past times.
    public var times: [Time]
    /// Why no time is free or unconfirmed; nil if at least one is.
    public var reason: String?

    /// Creates a day.
    ///
    /// - Parameters:
    ///   - date: The date.
    ///   - offsetMinutes: The UTC offset of the salon's clock at noon, in minutes.
    ///   - hours: The hours that start on this date, in order.
    ///   - times: The times, in order, without those that a rule blocks.
    ///   - reason: Why no time is free or unconfirmed; nil if at least one is.
    public init(
        date: CalendarDate,
        offsetMinutes: Int,
        hours: [OpeningHours],
        times: [Time],
        reason: String? = nil
    ) {
        self.date = date
        self.offsetMinutes = offsetMinutes
        self.hours = hours
        self.times = times
        self.reason = reason
    }
}
