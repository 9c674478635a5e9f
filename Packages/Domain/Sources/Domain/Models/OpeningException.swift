/// A day on which a salon or a staff member has different hours or none.
public struct OpeningException: Sendable, Hashable {
    /// The day on the salon's wall clock.
    public var date: CalendarDate
    /// The hours that start on that day, in order; empty if closed. They do not affect the hours of
    /// the previous day that extend past midnight.
    public var hours: [OpeningHours]

    /// Creates an exception.
    public init(date: CalendarDate, hours: [OpeningHours]) {
        self.date = date
        self.hours = hours
    }
}
